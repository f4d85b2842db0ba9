/**
 * `npm run dev`: the product on port 3000, with pages by `next dev` and the rest by the server; both reload when their
 * sources change. Flags are passed to the server. Pages lack the headers of production, such as the Content Security
 * Policy, so that Next.js can inject its scripts.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { context, type Plugin } from 'esbuild'
import { ensureBuild, serverBundle } from '@/server/cli/build'
import { bin, NODE_FLAGS, run } from '@/server/cli/process'
import { startProxy } from './proxy'

const NAME = 'dev'
const PORT = 3000
const TARGETS = { console: 3001, server: 3002 }

/** Runs until Next.js ends; returns its exit code. */
export async function main(argv: string[]): Promise<number> {
  // The server serves pages, too, and starts only with built ones.
  await ensureBuild({ evenIfOld: true })
  const watcher = await context({ ...serverBundle(NAME), plugins: [restart(argv)] })
  await watcher.watch()
  startProxy(PORT, TARGETS)
  const code = await run(bin('next'), ['dev', `--port=${TARGETS.console}`], { NEXT_TELEMETRY_DISABLED: '1' })
  await watcher.dispose()
  return code
}

/** Starts the server after every build, once the one before has ended. */
function restart(argv: readonly string[]): Plugin {
  const args = ['--enable-source-maps', ...NODE_FLAGS, `dist/${NAME}.js`, `--port=${TARGETS.server}`, ...argv]
  let running: ChildProcess | undefined
  process.once('exit', () => running?.kill())
  return {
    name: 'restart',
    setup: ({ onEnd }) =>
      onEnd(async ({ errors }) => {
        if (errors.length > 0) return
        await ended(running)
        running = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } })
      }),
  }
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill()
  await gone
}
