/** Builds console and server when their sources changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { type BuildOptions, build as bundle } from 'esbuild'
import { terminalText } from '@/server/config/terminal'
import { bin, capture, COMPILE_CACHE } from './process'

const sources = ['app', 'components', 'lib', 'public', 'server']
const configs = [
  'package-lock.json',
  'tsconfig.json',
  'next.config.ts',
  'postcss.config.mjs',
  'instrumentation-client.ts',
]
const marker = 'dist/sources'

/** How the server becomes one file of this name, beside a file for its worker threads. */
export const serverBundle = (name: string) =>
  ({
    entryPoints: { [name]: 'server/main.ts', 'loss-worker': 'server/bff/actions/loss-worker.ts' },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
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
  rmSync(COMPILE_CACHE.NODE_COMPILE_CACHE, { recursive: true, force: true })
  await bundle(serverBundle('main'))
  const next = await capture(bin('next'), ['build'], { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' })
  if (next.code !== 0) throw new Error(`the console could not be built:\n${next.output}`)
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
