import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { flags, type Flag, usage } from './flags'

/** Rows of the tables: flag, variable and default of each. */
const rows = [
  ...readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| (?:`--([\w-]+)`)? ?\| `(\w+)(?:=\d)?` \| (.*?) ?\|/gm),
].map(([, flag, variable, fallback]) => ({ flag, variable: variable as string, fallback: (fallback as string).trim() }))

const inHelp = [...usage(english).matchAll(/^ {2}--([\w-]+) /gm)].map(([, name]) => name).toSorted()

test('docs/configuration.md has a row for every flag of --help, and no other', () => {
  expect(rows.flatMap(({ flag }) => flag ?? []).toSorted()).toEqual(inHelp)
})

test('each row names the variable and the default of its flag', () => {
  for (const [name, { env, fallback }] of Object.entries<Flag>(flags)) {
    const row = rows.find(({ flag }) => flag === name)
    expect(row).toMatchObject({ variable: env, ...(fallback && { fallback: `\`${fallback}\`` }) })
  }
})

test('every variable that the configuration reads has a row', () => {
  const sources = globSync('server/config/*.ts', { exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const read = [...sources.matchAll(/\benv\.(EVENKEEL_\w+)|\benv: '(\w+)'/g)].map(
    ([, direct, ofFlag]) => direct ?? ofFlag,
  )
  expect(new Set(rows.map(({ variable }) => variable))).toEqual(new Set(read))
})
