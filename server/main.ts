/**
 * The composition root, with the folder `compose`. Only these know whether the API server is the embedded one or a real
 * control plane. No module imports them.
 */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './apiserver'
import { connect, type Composition } from './compose/composition'
import { openControlPlane } from './compose/control-plane'
import { serveConsole } from './compose/serve-console'
import { serveMembers } from './compose/serve-members'
import { type Config, ConfigError, parseConfig, usage } from './config/config'
import { seedOnce } from './embedded/demo'
import { type Stop, stopOnSignals } from './shutdown'
import { createLogger } from './telemetry/logger'
import { noSpans, type Spans } from './telemetry/spans'
import { openTracing } from './telemetry/tracing'

// Paths are the same relative to `dist/main.js`.
const DEMONSTRATION = fileURLToPath(new URL('../server/embedded/demo.yaml', import.meta.url))
const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage()}\n`)
  const config = parseConfig(process.argv.slice(2), process.env)
  const log = createLogger({ level: config.logLevel })
  const stops: Stop[] = []
  stopOnSignals(stops, { log, process })
  const spans = await openSpans(config)
  stops.unshift(() => spans.close())
  const plane = await openControlPlane(config, log, spans)
  stops.unshift(plane.close)
  const parts = connect(plane, { log, spans, version: VERSION, config })
  stops.unshift(parts.stop)
  const composition = { config, plane, parts, stops }
  const url = await serve(composition)
  if (plane.mode === 'embedded') await seedOnce(parts, config.demo && url ? DEMONSTRATION : undefined)
  process.stdout.write(`evenkeel is ready${url ? `: ${url}` : ''}\n${guideTo(composition, url)}`)
}

/** Returns the address of the console, if there is one. */
async function serve(composition: Composition): Promise<string | undefined> {
  if (composition.config.only !== 'apiserver') return serveConsole(composition)
  await serveMembers(composition)
  return undefined
}

/** Next steps for the user at the terminal; empty for a real control plane. */
function guideTo({ config: { demo, login }, plane: { kubeconfig } }: Composition, url: string | undefined): string {
  if (kubeconfig === undefined) return ''
  const shown = relative(process.cwd(), kubeconfig)
  const path = shown.startsWith('..') ? kubeconfig : shown
  const lines = [
    ...(url ? [`  console     ${url}`] : []),
    ...(url && login.required ? [`  log in      with the token in ${join(dirname(path), 'admin-token')}`] : []),
    `  kubeconfig  ${path}`,
    ...(url && demo
      ? [
          `  an outage   kubectl --kubeconfig ${path} annotate cluster member1 sim.evenkeel.io/state=down --overwrite`,
          '  and back    the same with state=up',
        ]
      : []),
    '  stop        Ctrl-C; the data stays',
  ]
  return `${lines.join('\n')}\n`
}

/** The tracing libraries are loaded only if tracing is configured. */
async function openSpans({ tracing }: Config): Promise<Spans> {
  return tracing ? openTracing({ ...tracing, version: VERSION, instance: hostname() }) : noSpans
}

const explained = [Error, ConfigError, StoreCorrupt, StoreLocked, StoreTooNew]

/** An error that the user can fix is printed as a message; any other with its stack. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `${error.message}; another program uses that port: choose one with --port or --api-port`
  }
  return explained.some((type) => error.constructor === type) ? error.message : (error.stack ?? error.message)
}

await main().catch((error: unknown) => {
  process.stderr.write(`evenkeel: ${sentenceOf(error)}\n`)
  process.exit(1)
})
