/**
 * The composition root: the only file that knows everything, and the only one that knows whether the API server
 * below is the embedded one or a real control plane. Nobody imports it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreCorrupt, StoreLocked, StoreTooNew } from './apiserver'
import type { FailoverSettings } from '@/lib/domain/failover'
import { defaultProfile, upstreamProfile } from '@/lib/domain/placement'
import type { Kind } from '@/lib/kube/kind'
import { failbackPolicy } from '@/lib/kube/kinds/failback-policy'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { queue as queueKind } from '@/lib/kube/kinds/queue'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import {
  type AuditLog,
  type Bff,
  claimDirectory,
  controlPlaneId,
  createBff,
  discoverServed,
  type Journal,
  openAuditLog,
  openAuditSink,
  openJournal,
  openJournalFiles,
  openSharing,
  type Sharing,
} from './bff'
import { createLogin, type Login } from './bff/auth/login'
import type { SharedStore } from './bff/shared/store'
import { ConfigError, parseConfig, usage, type Config } from './config/config'
import { startConsole } from './console'
import { startEmbedded } from './embedded/control-plane'
import { mountedKeyPair, sessionSecret, webhookKeyPair } from './embedded/credentials'
import { seedOnce } from './embedded/demo'
import { createEventRecorder } from './kube/events'
import { fencedClient } from './kube/fenced-client'
import { createHttpTransport } from './kube/http-transport'
import { createInformers } from './kube/informers'
import { connectionOf } from './kube/kubeconfig'
import { startElection } from './kube/leases'
import { startPulse } from './kube/pulse'
import type { KubeClient } from './kube/client'
import { clientOver } from './kube/rest-client'
import type { Transport } from './kube/transport'
import { allLoops } from './loops'
import { memberSimulation } from './members'
import { ensureDefinitions } from './reconcilers/shared/definitions'
import type { Controller, Logger, ReconcilerContext } from './runtime/controller'
import { createManager, type LeaderGate } from './runtime/manager'
import { systemClock } from './runtime/system-clock'
import { type Stop, stopOnSignals } from './shutdown'
import { createLogger } from './telemetry/logger'
import { createMetrics, type Metrics } from './telemetry/metrics'
import { observedTransport, tracedConnection } from './telemetry/observed-transport'
import { noSpans, type Spans } from './telemetry/spans'
import { openTracing } from './telemetry/tracing'
import { startWebhooks, type Webhooks } from './webhooks'

const DEMONSTRATION = fileURLToPath(new URL('../server/embedded/demo.yaml', import.meta.url))

/** An API server to work against. */
interface ControlPlane {
  mode: 'embedded' | 'connected'
  /** Where it is, as people are told. */
  url: string
  /** Over HTTP, or straight into a server in this process. */
  transport: Transport
  /** Who we are there, where that is known beforehand. */
  user?: string
  /** The file that leads there, written by us; absent for a control plane that is not ours. */
  kubeconfig?: string
  close(): Promise<void>
}

const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

const quotaKind = federatedResourceQuota as unknown as Kind

/** Everything that loops and views are given, over one connection. */
interface Parts extends ReconcilerContext {
  metrics: Metrics
  spans: Spans
  stop: Stop
}

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
  const parts = connect(plane, log, spans)
  stops.unshift(parts.stop)
  const url =
    config.only === 'apiserver'
      ? await serveMembers(config, plane, { parts, stops })
      : await serveConsole(config, plane, { parts, stops })
  if (plane.mode === 'embedded') await seedOnce(parts, config.demo && url ? DEMONSTRATION : undefined)
  process.stdout.write(`evenkeel is ready${url ? `: ${url}` : ''}\n${guideTo(config, plane, url)}`)
}

/** What a person at the terminal may do next; empty where somebody else's control plane is looked at. */
function guideTo({ demo, login }: Config, { kubeconfig }: ControlPlane, url: string | undefined): string {
  if (kubeconfig === undefined) return ''
  const shown = relative(process.cwd(), kubeconfig)
  const path = shown.startsWith('..') ? kubeconfig : shown
  const lines = [
    ...(url ? [`  console     ${url}`] : []),
    ...(url && login.required ? [`  log in      with the token in ${join(dirname(path), 'admin-token')}`] : []),
    `  kubeconfig  ${path}`,
    ...(url && demo ? [
      `  an outage   kubectl --kubeconfig ${path} annotate cluster member1 sim.evenkeel.io/state=down --overwrite`,
      '  and back    the same with state=up',
    ] : []),
    '  stop        Ctrl-C; the data stays',
  ]
  return `${lines.join('\n')}\n`
}

/** Nothing of the libraries for traces is loaded when nobody asked for them. */
async function openSpans({ tracing }: Config): Promise<Spans> {
  return tracing ? openTracing({ ...tracing, version: VERSION, instance: hostname() }) : noSpans
}

async function openControlPlane(config: Config, log: Logger, spans: Spans): Promise<ControlPlane> {
  if (config.kubeconfig !== undefined) {
    const connection = await connectionOf({ kubeconfig: config.kubeconfig, context: config.context })
    const transport = createHttpTransport(tracedConnection(connection, spans))
    return { mode: 'connected', url: connection.url, transport, close: () => Promise.resolve() }
  }
  const { dataDir, apiHost, apiExposed, apiPort, upstream } = config
  const embedded = await startEmbedded({
    dataDir,
    host: apiHost,
    exposed: apiExposed,
    port: apiPort,
    clock: systemClock,
    uid: randomUUID,
    random: Math.random,
    log: log.child({ part: 'apiserver' }),
    upstream,
  })
  const { url, local, user, kubeconfig } = embedded
  return { mode: 'embedded', url, transport: local, user, kubeconfig, close: () => embedded.close() }
}

function connect(plane: ControlPlane, log: Logger, spans: Spans): Parts {
  const metrics = createMetrics({ version: VERSION, mode: plane.mode })
  const client = clientOver(observedTransport(plane.transport, { ...metrics, spans }), 'evenkeel')
  const shared = {
    client,
    clock: systemClock,
    random: Math.random,
    onError: (error: unknown) => log.error({ err: error }, 'failed in the background'),
  }
  const informers = createInformers({ ...shared, metrics })
  const events = createEventRecorder({ ...shared, ...(plane.mode === 'embedded' && { perSecond: 500, burst: 2000 }) })
  const stop = async () => {
    await informers.stop()
    await client.close()
  }
  return { client, informers, clock: systemClock, events, log, random: Math.random, metrics, spans, stop }
}

/** The embedded control plane alone: nothing but the API server and what lives in its simulated members. */
async function serveMembers(
  config: Config,
  plane: ControlPlane,
  { parts, stops }: { parts: Parts; stops: Stop[] },
): Promise<undefined> {
  const manager = createManager(parts)
  const webhooks = await openWebhooks(config, plane, { parts, registering: parts })
  if (webhooks) stops.unshift(webhooks.close)
  for (const loop of [...(webhooks ? [webhooks.registration] : []), ...memberSimulation(parts)]) manager.add(loop)
  stops.unshift(() => manager.stop())
  await manager.start()
}

async function serveConsole(
  config: Config,
  plane: ControlPlane,
  { parts, stops }: { parts: Parts; stops: Stop[] },
): Promise<string> {
  const { client, informers, clock, log, random, metrics, spans } = parts
  const connected = plane.mode === 'connected'
  const served = connected
    ? await untilReachable(() => discoverServed(client, [quotaKind]), { server: plane.url, log })
    : undefined
  const manager = createManager({ ...parts, ...(connected && { gate: electionOver(parts) }) })
  stops.unshift(() => manager.stop())
  const given = (name: string): ReconcilerContext =>
    connected ? { ...parts, client: fencedClient(client, () => manager.leads(name)) } : parts
  const loops = allLoops({
    ...config,
    given,
    schedulerProfile: () => schedulerProfile,
    quotasServed: served?.(quotaKind) ?? true,
  })
  const chosen = chooseLoops(config, plane, loops)
  // A preview promises what the scheduler that runs will do: ours, or Karmada's own.
  const schedulerProfile =
    config.upstream || !chosen.some(({ name }) => name === 'scheduler')
      ? upstreamProfile
      : { ...defaultProfile, workloadAffinity: config.gates.WorkloadAffinity }
  if (connected) await defineKinds(client, kindsOf(chosen, config), log)
  const webhooks = await openWebhooks(config, plane, { parts, registering: given('queue-webhooks') })
  if (webhooks) stops.unshift(webhooks.close)
  const besides = [...(webhooks ? [webhooks.registration] : []), ...(connected ? [] : memberSimulation(parts))]
  for (const loop of [...chosen, ...besides]) manager.add(loop)
  // A real control plane may lack a kind or be away: the console shows that instead of waiting for it.
  const started = manager.start()
  if (!connected) await started
  const journal = await openJournalFor(config, parts)
  stops.unshift(() => journal.close())
  const controlPlane = await untilReachable(() => controlPlaneId(client, plane.url), { server: plane.url, log })
  const sharing = await openSharing({ redis: config.redis, controlPlane, clock, random, log, metrics })
  stops.unshift(() => sharing.close())
  let leaving = false
  const audit = await openAudit(config, parts, sharing.store)
  stops.unshift(() => audit.close())
  const login = openLogin(config, plane, { parts, store: sharing.store, audit })
  stops.unshift(async () => login.gatekeeper.close())
  const pulse = startPulse({ client, clock })
  stops.unshift(async () => pulse.stop())
  const bff = createBff({
    client,
    informers,
    pulse,
    clock,
    log,
    random,
    allowedHosts: hostsOf(config),
    gatekeeper: login.gatekeeper,
    endpoints: login.endpoints,
    schedulerProfile,
    journal,
    sharing,
    audit,
    rateLimits: config.rateLimits,
    failover: failoverSettings(config, chosen, connected),
    metrics: () => metrics.expose(),
    leaving: () => leaving,
    figures: {
      ...metrics,
      httpRequest: (method, route, code, seconds) => answerTeller(parts)({ method, route, code, seconds }),
    },
    about: {
      mode: plane.mode,
      server: plane.url,
      user: plane.user,
      reconcilers: () =>
        loops.map((loop) => ({ name: loop.name, running: chosen.includes(loop), leader: manager.leads(loop.name) })),
    },
    ...(served && { served }),
  })
  stops.unshift(async () => bff.close())
  const { url, close } = await startConsole({
    host: config.host,
    port: config.port,
    bff: behindLogin(bff, login),
    publicUrl: config.login.publicUrl,
    log,
    spans,
    onAnswer: answerTeller(parts),
  })
  // Whoever takes the loops over need not wait for the last request here.
  stops.unshift(async () => {
    leaving = true
    await Promise.all([close(), manager.resign()])
  })
  return url
}

/** Under which names browsers may come. */
function hostsOf({ host, allowedHosts, login: { publicUrl } }: Config): string[] {
  return [host, ...allowedHosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])]
}

function openLogin(
  { login, dataDir }: Config,
  { mode, user }: ControlPlane,
  { parts, store, audit }: { parts: Parts; store: SharedStore; audit: AuditLog },
): Login {
  const { client, clock, log, metrics } = parts
  if (login.openToOthers)
    log.warn(
      {},
      'nobody logs in, and other machines reach the console: whoever does acts with all rights of the console',
    )
  const made = (): string => {
    if (mode === 'embedded') return sessionSecret(dataDir)
    log.warn(
      {},
      'sessions end with this process, and no other instance knows them: set EVENKEEL_SESSION_SECRET to the same secret everywhere',
    )
    return randomBytes(32).toString('base64url')
  }
  const secrets = login.required && login.secrets.length === 0 ? [made()] : login.secrets
  return createLogin({
    client,
    clock,
    log: log.child({ part: 'login' }),
    store,
    metrics,
    audit,
    user,
    settings: { ...login, secrets },
  })
}

/** The way to the identity provider and back lies beside the API. */
function behindLogin(bff: Bff, login: Login): Bff {
  const handle: Bff['handle'] = async (request, response) =>
    (bff.foreign(request) === undefined && await login.handle(request, response)) || bff.handle(request, response)
  return { ...bff, handle }
}

/** Counts an answer, and names its span by the route, which is known only now. */
function answerTeller({
  metrics,
  spans,
}: Parts): (answer: { method: string; route: string; code: number; seconds: number }) => void {
  return ({ method, route, code, seconds }) => {
    metrics.httpRequest(method, route, code, seconds)
    spans.current()?.rename(`${method} ${route}`)
  }
}

/** How failover is set here. What the loops of a real control plane are told cannot be known. */
function failoverSettings({ timing }: Config, chosen: readonly Controller[], connected: boolean): FailoverSettings {
  const { gracefulEvictionTimeoutMs, noExecuteAfterMs } = timing
  const runs = (name: string): boolean => chosen.some((loop) => loop.name === name)
  if (connected) return runs('graceful-eviction') ? { gracefulEvictionTimeoutMs } : {}
  return {
    gracefulEvictionTimeoutMs,
    noExecuteEviction: runs('taint-manager'),
    applicationFailover: runs('application-failover'),
    ...(noExecuteAfterMs !== undefined && { noExecuteAfterMs }),
  }
}

async function openAudit(
  { auditLog: target }: Config,
  { clock, log, random, events, metrics }: Parts,
  store: Sharing['store'],
): Promise<AuditLog> {
  const onError = (error: unknown): void => {
    metrics.auditFailed('file')
    log.error({ err: error, target }, 'could not write the audit log')
  }
  return openAuditLog({ sink: await openAuditSink({ target, clock, onError }), clock, log, random, events, store })
}

async function openJournalFor(
  { journalDir, journalRetentionMs: ageMs }: Config,
  { clock, log }: Parts,
): Promise<Journal> {
  if (journalDir === undefined) return openJournal({ clock })
  const { path: directory } = await claimDirectory(journalDir, 'journal')
  if (directory !== journalDir)
    log.info(
      { directory },
      'another instance keeps its journal in the directory that was given; this one has its own below',
    )
  const onError = (error: unknown): void => log.error({ err: error, directory }, 'could not write the journal')
  const storage = await openJournalFiles({ directory, clock, retention: { ageMs }, onError })
  return openJournal({
    clock,
    storage,
    onDamage: (lines) => log.warn({ lines, directory }, 'passed over damaged lines of the journal'),
  })
}

/** The kinds of ours that loops work with; a control plane of others has to be told of them. */
function kindsOf(loops: readonly Controller[], { webhooks }: Config): Kind[] {
  const runs = (...names: string[]): boolean => loops.some(({ name }) => names.includes(name))
  return [
    ...(runs('rebalance-plan', 'failback') ? [rebalancePlan, failbackPolicy] : []),
    ...(runs('queue') || webhooks.url !== undefined ? [queueKind] : []),
  ] as unknown as Kind[]
}

/** Whoever asks for our loops on a control plane of others asks for their kinds; they may be another's to permit. */
async function defineKinds(client: KubeClient, kinds: readonly Kind[], log: Logger): Promise<void> {
  if (kinds.length === 0) return
  const names = kinds.map(({ kind }) => kind)
  try {
    const outcome = await ensureDefinitions(client, kinds)
    log[outcome === 'forbidden' ? 'warn' : 'info']({ outcome, names }, 'the definitions of our own kinds')
  } catch (error) {
    log.warn(
      { err: error, names },
      'the definitions of our own kinds could not be created; their loops wait until they are there',
    )
  }
}

/**
 * The webhooks of queues: on loopback beside the embedded API server, where `--webhook-url` leads beside a real one, else
 * none. Rejects when the port is taken.
 */
async function openWebhooks(
  { dataDir, webhooks, upstream }: Config,
  { mode }: ControlPlane,
  { parts, registering }: { parts: Parts; registering: ReconcilerContext },
): Promise<Webhooks | undefined> {
  const { port, url, certDir, failurePolicy } = webhooks
  if (mode === 'connected' && url === undefined) return undefined
  const host = mode === 'connected' ? '0.0.0.0' : '127.0.0.1'
  const ownPair = () => webhookKeyPair(dataDir, url === undefined ? host : new URL(url).hostname, parts.clock.now())
  const pair = certDir === undefined ? ownPair() : mountedKeyPair(certDir)
  return startWebhooks(parts, { host, port, pair, url, failurePolicy, upstream }, registering)
}

/** Those of the loops that the configuration asks for. Throws ConfigError for a name that is none. */
function chooseLoops(config: Config, plane: ControlPlane, loops: readonly Controller[]): readonly Controller[] {
  const wanted = config.reconcilers ?? (plane.mode === 'embedded' ? 'all' : 'none')
  if (wanted === 'all') return loops
  if (wanted === 'none') return []
  const unknown = wanted.filter((name) => !loops.some((loop) => loop.name === name))
  if (unknown.length > 0) {
    throw new ConfigError(
      `--reconcilers names ${unknown.join(', ')}; there are: ${loops.map(({ name }) => name).join(', ')}`,
    )
  }
  return loops.filter(({ name }) => wanted.includes(name))
}

/** Beside a real control plane several consoles may run; one of them leads each loop. */
function electionOver({ client, clock, random, log }: Parts): LeaderGate {
  const identity = `${hostname()}_${randomUUID()}`
  return (controller, callbacks) => startElection({
    client, clock, random, identity, namespace: 'karmada-system', name: `evenkeel-${controller}`,
    onError: (error) => log.warn({ err: error, controller }, 'could not renew the leader lease'),
  }, callbacks)
}

/** A control plane that does not answer yet is waited for, and the first time out loud. */
async function untilReachable<T>(ask: () => Promise<T>, { server, log }: { server: string; log: Logger }): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      log[tries === 1 ? 'warn' : 'debug'](
        { server, cause },
        'the control plane does not answer; trying again every 2 s',
      )
      await new Promise((resolve) => { setTimeout(resolve, 2000) })
    }
  }
}

const explained = [Error, ConfigError, StoreCorrupt, StoreLocked, StoreTooNew]

/** What a person can mend is told in a sentence; anything else shows where it happened. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return `${error.message}; another program uses that port: choose one with --port or --api-port`
  return explained.some((type) => error.constructor === type) ? error.message : error.stack ?? error.message
}

await main().catch((error: unknown) => {
  process.stderr.write(`evenkeel: ${sentenceOf(error)}\n`)
  process.exit(1)
})
