/** Builds console and server when their sources changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { type BuildOptions, build as bundle } from 'esbuild'
import { terminalText } from '@/server/config/terminal'
import { writeFirstChunks } from './first-chunks'
import { bin, capture } from './process'

const sources = ['app', 'components', 'lib', 'public', 'server']
const configs = [
  'package-lock.json',
  'tsconfig.json',
  'next.config.mjs',
  'postcss.config.mjs',
  'instrumentation-client.ts',
]
const marker = 'dist/sources'

/**
 * Packages that are not bundled: those that load files of their own, those of traces, which are loaded only with an
 * endpoint, and optional peers that are not installed.
 */
const EXTERNAL = [
  'next',
  'next/*',
  'react',
  'react-dom',
  'wasmoon',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  'bufferutil',
  'utf-8-validate',
]

/** CommonJS packages within an ES module ask for these. No other name may be defined here: modules of ours could have it. */
const COMMONJS = [
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)",
  'const __filename = import.meta.filename',
  'const __dirname = import.meta.dirname',
].join(';')

/** The threads of an API server and its controllers: a program that runs them has these files beside itself. */
export const CONTROL_PLANE_WORKERS = {
  'sandbox-worker': 'server/reconcilers/shared/interpreter/sandbox-worker.ts',
  'sqlite-worker': 'server/apiserver/store/sqlite-worker.ts',
  'yaml-worker': 'server/apiserver/yaml/yaml-worker.ts',
}

/**
 * Bundles the server into a file of this name, with one file for each kind of worker thread and shared or lazily loaded
 * chunks. Packages are included: reading a thousand files took half of each start.
 */
export const serverBundle = (name: string) =>
  ({
    entryPoints: {
      [name]: 'server/main.ts',
      'loss-worker': 'server/bff/actions/loss-worker.ts',
      'rehearsal-worker': 'server/compose/rehearsal-worker.ts',
      'crash-watch-worker': 'server/runtime/crash-watch-worker.ts',
      ...CONTROL_PLANE_WORKERS,
    },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: EXTERNAL,
    // As Node.js would: named exports of packages that have both forms come from the one of ES modules.
    mainFields: ['module', 'main'],
    banner: { js: COMMONJS },
    sourcemap: true,
    logLevel: 'warning',
  }) satisfies BuildOptions

/**
 * Builds `.next` and `dist/main.js` from the current sources; with `evenIfOld` any build is enough. Prints nothing if
 * they are current.
 */
export async function ensureBuild({ evenIfOld = false } = {}): Promise<void> {
  if (evenIfOld && existsSync('.next/BUILD_ID')) return
  const fingerprint = fingerprintOf([...sources.flatMap(filesBelow), ...configs])
  if (existsSync(marker) && existsSync('.next/BUILD_ID') && readFileSync(marker, 'utf8') === fingerprint) return
  process.stderr.write(`evenkeel: ${terminalText(process.env)('config.start.building')}\n`)
  // Chunks are named after their content: those of older builds would stay, as would their compiled code.
  rmSync('dist', { recursive: true, force: true })
  await bundle(serverBundle('main'))
  const next = await capture(bin('next'), ['build'], {
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    EVENKEEL_BUILD: fingerprint.slice(0, 16),
  })
  if (next.code !== 0) throw new Error(`the console could not be built:\n${next.output}`)
  writeFirstChunks('.next')
  await compressFiles('.next/static')
  writeFileSync(marker, fingerprint)
}

/** Writes a Brotli copy of each script and style sheet; the console sends it to browsers that take it. */
async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:js|css)$/.test(name))
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name)
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path)))
    }),
  )
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function isSource(name: string): boolean {
  return !/\.test\.tsx?$|\.md$|\.gz$/.test(name)
}

function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
