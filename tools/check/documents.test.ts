import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandsOf, wrongCommands } from './document-commands'
import { checkDocuments } from './documents'

function rootWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'documents-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test.each<[string, string, string[]]>([
  ['a link beside it', 'see [b](b.md#top) and [lib](lib/a.ts)', []],
  ['a link to nothing', '[c](c.md)', ['c.md']],
  ['a link to elsewhere', '[x](https://x.example/y.md) [m](mailto:a@b)', []],
  ['a heading, here and in another document', '# The `top`, and more\n[t](#the-top-and-more) [b](b.md#top)', []],
  ['no heading, and one in a block', '```\n# gone\n```\n[t](#gone) [b](b.md#gone)', ['#gone', 'b.md#gone']],
  ['a module, with and without its ending', '`lib/a.ts`, `lib/a`, `lib/`, `lib/*.ts`', []],
  ['what is gone', '`lib/gone.ts`, `server/gone/`, `lib/*.tsx`', ['lib/gone.ts', 'server/gone/', 'lib/*.tsx']],
  ['code that is no path, and commands', '`lib` `a/b.ts` `server/a b`\n```\ncat `lib/gone.ts` [x](y)\n```\n', []],
])('%s', (_what, text, gone) => {
  const root = rootWith({ 'a.md': text, 'b.md': '## Top', 'lib/a.ts': '', 'node_modules/x/README.md': '[x](y)' })
  expect(checkDocuments(root)).toEqual({
    code: gone.length > 0 ? 1 : 0,
    note: '2 documents',
    output: gone.map((name) => `a.md names ${name}, which does not exist`).join('\n'),
  })
})

test('a map that lacks a folder is reported, for either form of the list', () => {
  const root = rootWith({
    'components/README.md': '`ui/` `fleet`, `components/shell`',
    ...Object.fromEntries(['ui', 'fleet', 'shell', 'queues'].map((name) => [`components/${name}/a.tsx`, ''])),
  })
  expect(checkDocuments(root)).toMatchObject({
    code: 1,
    output: 'components/README.md has no row for components/queues',
  })
})

test('a README that is too long is named, wherever it is', () => {
  const root = rootWith({
    'README.md': 'x\n'.repeat(120),
    'lib/README.md': 'x\n'.repeat(81),
    'lib/OTHER.md': 'x\n'.repeat(200),
  })
  expect(checkDocuments(root)).toMatchObject({
    output: 'lib/README.md has 81 lines; move what goes beyond 80 to docs/ or to a folder below',
  })
})

test.each<[string, string[]]>([
  ['```sh\nnpm start -- --port 1 # --no-such\nnpm run bench -- queue --size=2\n```', []],
  ['`npm run bench -- NAME` and `npm test`, not `node x`', []],
  ['```\nnpm run gone\n```', []],
  ['`npm run gone`', ['npm run gone, which package.json does not have']],
  [
    '```sh\nnpm run bench -- gone --speed 2\n```',
    ['bench gone, which does not exist', 'bench with the unknown flag --speed'],
  ],
  ['```sh\nnpm start -- --port 1 \\\n  --colour\n```', ['start with the unknown flag --colour']],
])('commands in %j', (document, wrong) => {
  const takes =
    (...flags: string[]) =>
    (flag: string) =>
      flags.includes(flag)
  expect(
    wrongCommands(
      document,
      new Map([
        ['start', { hasFlag: takes('port') }],
        ['test', { hasFlag: takes() }],
        ['bench', { names: new Set(['queue']), hasFlag: takes('size') }],
      ]),
    ),
  ).toEqual(wrong)
})

test('the commands of the project are read from package.json and the sources of its tools', () => {
  const commands = commandsOf('.')
  expect(commands.get('bench')?.names).toContain('what-if')
  expect([...(commands.get('conformance')?.names ?? [])]).toEqual(expect.arrayContaining(['division', 'exchanges']))
  expect([commands.get('start')?.hasFlag('kubeconfig'), commands.get('start')?.hasFlag('colour')]).toEqual([
    true,
    false,
  ])
})
