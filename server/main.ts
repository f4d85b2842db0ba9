/**
 * The composition root, together with the folder `compose`: the only code that depends on whether the API server is the
 * embedded one or a real control plane. No module imports them.
 */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './apiserver'
import { answerWhileWaiting } from './compose/answer-while-waiting'
import { connect, type Composition } from './compose/composition'
import { type ControlPlane, openControlPlane } from './compose/control-plane'
import { karmadaFlagsOf } from './compose/host-flags'
import { serveConsole } from './compose/serve-console'
import { serveMembers } from './compose/serve-members'
import { startControllers } from './compose/start-controllers'
import { buildTwin, readTwinSource, twinLines } from './compose/twin'
import { reachability } from './compose/until-reachable'
import { type Config, ConfigError, parseConfig, usage } from './config/config'
import { terminalText } from './config/terminal'
import { seedOnce } from './embedded/demo'
import { systemClock } from './runtime/system-clock'
import { type Stop, stopOnSignals } from './shutdown'
import { createLogger } from './telemetry/logger'
import { surviveLostOutput } from './telemetry/lost-output'
import { noSpans, type Spans } from './telemetry/spans'
import { openTracing } from './telemetry/tracing'
import { TwinError } from './twin'

// The relative paths are also valid from `dist/main.js`.
const DEMONSTRATION = fileURLToPath(new URL('../server/embedded/demo.yaml', import.meta.url))
const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

/** Texts for the user at the terminal. Log lines are English. */
const text = terminalText(process.env)

async function main(): Promise<void> {
  surviveLostOutput([process.stdout, process.stderr])
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage(text)}\n`)
  const given = parseConfig(process.argv.slice(2), process.env)
  const log = createLogger({ level: given.logLevel })
  const stops: Stop[] = []
  stopOnSignals(stops, { log, process })
  const spans = await openSpans(given)
  stops.unshift(() => spans.close())
  const twinSource = await readTwinSource(given)
  let plane: ControlPlane | undefined
  const server = (): string | undefined => plane?.url
  const attempts = reachability({ server, log, clock: systemClock })
  const waiting = await answerWhileWaiting({ config: given, log, server, reachability: attempts })
  stops.unshift(() => waiting.close(0))
  const config = { ...given, karmadaFlags: await karmadaFlagsOf(given, log) }
  plane = await openControlPlane(config, { log, spans, reachability: attempts })
  stops.unshift(plane.close)
  const parts = connect(plane, { log, spans, version: VERSION, config })
  stops.unshift(parts.stop)
  const twin = twinSource && (await buildTwin(twinSource, config, plane))
  if (twin) process.stdout.write(twinLines(text, twin))
  let isSeeding = plane.mode === 'embedded'
  const composition = { config, plane, parts, reachability: attempts, waiting, stops, twin, isSeeding: () => isSeeding }
  const url = await serve(composition)
  if (isSeeding) await seedOnce(parts, config.demo && url ? DEMONSTRATION : undefined)
  isSeeding = false
  const ready = url ? text('config.start.readyAt', { url }) : text('config.start.ready')
  process.stdout.write(`${ready}\n${guideTo(composition, url)}`)
}

/** Returns the address of the console; undefined without a console. */
async function serve(composition: Composition): Promise<string | undefined> {
  const { only, reconcilers } = composition.config
  if (only !== 'apiserver') return serveConsole(composition)
  await (reconcilers === undefined ? serveMembers(composition) : startControllers(composition))
  return undefined
}

/** Returns the next steps for the user at the terminal; empty for a real control plane. */
function guideTo(
  { config: { demo, login }, plane: { kubeconfig }, twin }: Composition,
  url: string | undefined,
): string {
  if (kubeconfig === undefined) return ''
  const shown = relative(process.cwd(), kubeconfig)
  const path = shown.startsWith('..') ? kubeconfig : shown
  const lines: [label: string, value: string][] = [
    ...(url ? [row('console', url)] : []),
    ...(url && login.required
      ? [row('logIn', text('config.start.withToken', { path: join(dirname(path), 'admin-token') }))]
      : []),
    row('kubeconfig', path),
    ...(url && demo
      ? [
          row('outage', `kubectl --kubeconfig ${path} annotate cluster member1 sim.evenkeel.io/state=down --overwrite`),
          row('recovery', text('config.start.recoveryHint')),
        ]
      : []),
    row('stop', text(twin ? 'twin.start.stopHint' : 'config.start.stopHint')),
  ]
  const widest = Math.max(...lines.map(([label]) => columnsOf(label)))
  return lines.map(([label, value]) => `  ${label}${' '.repeat(widest - columnsOf(label))}  ${value}\n`).join('')
}

type Row = 'console' | 'logIn' | 'kubeconfig' | 'outage' | 'recovery' | 'stop'
const row = (label: Row, value: string): [string, string] => [text(`config.start.${label}`), value]

/** Returns the width on a terminal, where a Chinese character takes two columns. */
const columnsOf = (label: string): number => label.replaceAll(/\p{Script=Han}/gu, '  ').length

/** Loads the tracing libraries only if tracing is configured. */
async function openSpans({ tracing }: Config): Promise<Spans> {
  return tracing ? openTracing({ ...tracing, version: VERSION, instance: hostname() }) : noSpans
}

const explained = [Error, StoreCorrupt, StoreLocked, StoreTooNew]

/** Returns the text for an error: a message if the user can fix it, otherwise the stack. */
function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof TwinError) return text.of(error.detail)
  if (!(error instanceof Error)) return String(error)
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    const { port, address } = error as Error & { port?: number; address?: string }
    return text('config.start.portInUse', { port: String(port), address: String(address) })
  }
  return explained.some((type) => error.constructor === type) ? error.message : (error.stack ?? error.message)
}

await main().catch((error: unknown) => {
  process.stderr.write(`evenkeel: ${sentenceOf(error)}\n`)
  process.exit(1)
})
