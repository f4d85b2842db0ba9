/** Files that a browser fetches for a page: imports of pages, and their imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const IMPORT = /^(?:import|export)\s+(?!type\s)([^'"();]*?from\s+)?'([^']+)'/gm

/** What a file imports when it runs: types leave no trace. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .filter(([, names = '']) => !hasOnlyTypes(names))
    .map(([, , from = '']) => from)
}

function hasOnlyTypes(names: string): boolean {
  const list = /^\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return list !== undefined && list.length > 0 && list.every((name) => name.startsWith('type '))
}

function fileOf(from: string, importer: string): string | undefined {
  const base = from.startsWith('@/') ? join(root, from.slice(2)) : resolve(dirname(importer), from)
  return ['', '.ts', '.tsx', '/index.ts']
    .map((end) => base + end)
    .find((path) => /\.tsx?$/.test(path) && existsSync(path))
}

/** Every package that is reached, with the files on the way to it. */
function packagesFrom(entries: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>()
  const ways = new Map(entries.map((entry) => [entry, relative(root, entry)]))
  for (const [file, way] of ways) {
    for (const from of importsOf(file)) {
      if (!/^[.@]\/|^\.\.\//.test(from)) {
        if (!packages.has(from)) packages.set(from, way)
        continue
      }
      const next = fileOf(from, file)
      if (next !== undefined && !ways.has(next)) ways.set(next, `${way} > ${relative(root, next)}`)
    }
  }
  return packages
}

describe('the first paint', () => {
  const packages = packagesFrom(
    globSync('app/**/{page,layout,error}.tsx', { cwd: root }).map((path) => join(root, path)),
  )

  test('reaches the libraries that a page stands on', () => {
    expect([...packages.keys()]).toEqual(expect.arrayContaining(['react', '@tanstack/react-query', 'clsx']))
  })

  test.each([
    ['zod', 'views are checked by the server; schemas stand in lib/view/schemas'],
    ['cmdk', 'the list of commands is fetched after the first paint'],
    ['socket.io-client', 'the socket is fetched beside the page, which can be drawn without it'],
    ['intl-messageformat', 'lib/messages/icu.ts renders what the catalogue uses of the format'],
  ])('does without %s: %s', (name) => {
    expect(packages.get(name)).toBeUndefined()
  })
})
