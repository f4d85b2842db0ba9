import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
  ['a link to elsewhere', '[x](https://x.example/y.md) [m](mailto:a@b) [t](#top)', []],
  ['a module, with and without its ending', '`lib/a.ts`, `lib/a`, `lib/`, `lib/*.ts`', []],
  ['what is gone', '`lib/gone.ts`, `server/gone/`, `lib/*.tsx`', ['lib/gone.ts', 'server/gone/', 'lib/*.tsx']],
  ['code that is no path, and commands', '`lib` `a/b.ts` `server/a b`\n```\ncat `lib/gone.ts` [x](y)\n```\n', []],
])('%s', (_what, text, gone) => {
  const root = rootWith({ 'a.md': text, 'b.md': '', 'lib/a.ts': '', 'node_modules/x/README.md': '[x](y)' })
  expect(checkDocuments(root)).toEqual({
    code: gone.length > 0 ? 1 : 0, note: '2 documents', output: gone.map((name) => `a.md names ${name}, which is not there`).join('\n'),
  })
})

test('a map that leaves a folder out is named, in whichever way the others stand in it', () => {
  const root = rootWith({ 'components/README.md': '`ui/` `fleet`, `components/shell`', ...Object.fromEntries(
    ['ui', 'fleet', 'shell', 'queues'].map((name) => [`components/${name}/a.tsx`, '']),
  ) })
  expect(checkDocuments(root)).toMatchObject({ code: 1, output: 'components/README.md has no row for components/queues' })
})
