/** What the server opens beside its one built file has to be in the image, where it looks for it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { CONTROL_PLANE_WORKERS, serverBundle } from '@/server/cli/build'
import { NODE_FLAGS } from '@/server/cli/process'
import type { createSandbox } from '@/server/reconcilers/shared/interpreter/sandbox'

const COPIED = [
  ...readFileSync('deploy/Dockerfile', 'utf8').matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S*)$/gm),
].map(([, from = '', to]) => ({ from, to: to || from }))

const SOURCES = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .map((file) => join('server', file))
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/(testing|fuzz|cli)\//.test(file))

/** The paths of the sources that match, as they name them. */
const named = (path: RegExp): { file: string; path: string }[] =>
  SOURCES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(path)].map((match) => ({ file, path: match[1] as string })),
  )

test('holds every file that the built server opens by its place', () => {
  const opened = named(/new URL\('(\.\.\/[^']+)', import\.meta\.url\)/g).map(({ path }) =>
    normalize(join('dist', path)),
  )
  expect(opened).toContain('server/embedded/demo.yaml')
  for (const file of opened) expect(COPIED, file).toContainEqual({ from: file, to: file })
})

test('has a built file for every worker thread', () => {
  const workers = named(/new URL\('(\.\/[^']+-worker\.ts)', import\.meta\.url\)/g)
  expect(workers.length).toBeGreaterThanOrEqual(6)
  const { entryPoints } = serverBundle('main')
  for (const { file, path } of workers) expect(Object.values(entryPoints)).toContain(join(file, '..', path))
})

test('starts the server with the options of npm start', () => {
  const [, command = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? []
  expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/main.js'])
})

test('runs scripts with what is built', async () => {
  // Beside the packages that are not bundled.
  const outdir = mkdtempSync(join(process.cwd(), 'dist-'))
  onTestFinished(() => rmSync(outdir, { recursive: true }))
  await build({
    ...serverBundle('main'),
    entryPoints: { sandbox: 'server/reconcilers/shared/interpreter/sandbox.ts', ...CONTROL_PLANE_WORKERS },
    outdir,
    sourcemap: false,
  })
  const built = (await import(/* @vite-ignore */ pathToFileURL(join(outdir, 'sandbox.js')).href)) as {
    createSandbox: typeof createSandbox
  }
  const sandbox = built.createSandbox({ timeoutMs: 60_000 })
  onTestFinished(() => sandbox.close())
  expect((await sandbox.run({ source: 'function Twice(n) return n * 2 end', entry: 'Twice', args: [21] }))[0]).toBe(42)
})
