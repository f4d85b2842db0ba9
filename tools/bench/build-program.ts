import { join } from 'node:path'
import { build } from 'esbuild'
import { CONTROL_PLANE_WORKERS } from '@/server/cli/build'

/** Builds a program of a bench as the product is built, so that the bench measures the same code. Answers its path. */
export async function buildProgram(source: string, name: string): Promise<string> {
  const program = `bench-${name}-${process.pid}`
  await build({
    entryPoints: { [program]: source, ...CONTROL_PLANE_WORKERS },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    packages: 'external',
    logLevel: 'warning',
  })
  return join('dist', `${program}.js`)
}
