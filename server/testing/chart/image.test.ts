/** What the server opens beside its one built file has to be in the image, where it looks for it. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import type { createSandbox } from '@/server/reconcilers/shared/interpreter/sandbox'

const COPIED = [
  ...readFileSync('deploy/Dockerfile', 'utf8').matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S*)$/gm),
].map(([, from = '', to]) => ({ from, to: to || from }))

test('holds every file that the built server opens by its place', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|fuzz|cli)\//.test(file),
  )
  const opened = sources.flatMap((file) =>
    [...readFileSync(join('server', file), 'utf8').matchAll(/new URL\('(\.\.\/[^']+)', import\.meta\.url\)/g)].map(
      ([, path]) => normalize(join('dist', path as string)),
    ),
  )
  expect(opened).toContain('server/reconcilers/shared/interpreter/sandbox-worker.ts')
  for (const file of opened) expect(COPIED, file).toContainEqual({ from: file, to: file })
})

test('contains the unbundled imports of worker threads', () => {
  for (const { from } of COPIED.filter((copy) => copy.from.endsWith('.ts'))) {
    for (const [, path = ''] of readFileSync(from, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const file = normalize(join(dirname(from), path))
      expect(COPIED, file).toContainEqual({ from: file, to: file })
    }
  }
})

test('runs scripts with what it holds', async () => {
  const image = mkdtempSync(join(tmpdir(), 'image-'))
  onTestFinished(() => rmSync(image, { recursive: true }))
  for (const { from, to } of COPIED.filter((copy) => /\.(ts|json)$/.test(copy.from))) {
    mkdirSync(join(image, dirname(to)), { recursive: true })
    copyFileSync(from, join(image, to))
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(image, 'node_modules'))
  const outfile = join(image, 'dist/sandbox.mjs')
  await build({
    entryPoints: ['server/reconcilers/shared/interpreter/sandbox.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  const built = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
    createSandbox: typeof createSandbox
  }
  const sandbox = built.createSandbox({ timeoutMs: 60_000 })
  onTestFinished(() => sandbox.close())
  expect((await sandbox.run({ source: 'function Twice(n) return n * 2 end', entry: 'Twice', args: [21] }))[0]).toBe(42)
})
