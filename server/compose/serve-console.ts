/** Serves the console with controllers, records, login, API and stream. */
import type { FailoverSettings } from '@/lib/domain/failover'
import { isoTime } from '@/lib/std/clock'
import { controlPlaneId, createBff, openSharing, type Sharing } from '@/server/bff'
import type { KarmadaFlags } from '@/server/config/karmada-flags'
import { buildId, startConsole } from '@/server/console'
import { startApiServerProbe } from '@/server/kube/api-server-probe'
import { type CompatibilityProfile, karmadaProfile } from '@/server/reconcilers/shared/compatibility'
import type { Controller } from '@/server/runtime/controller'
import { objectOfKey } from '@/server/runtime/key-object'
import type { FailingKey } from '@/server/runtime/failure-tracker'
import { hostsOf } from './answer-while-waiting'
import type { Composition, Parts } from './composition'
import { behindLogin, openLogin } from './login'
import { noticeController, openNotifier } from './notices'
import { openAudit, openJournalFor } from './record'
import { rehearsals } from './rehearsals'
import type { RehearsalSettings } from './rehearse'
import { type RunningControllers, startControllers } from './start-controllers'
import { twinView } from './twin'

/** Returns the address of the console. Rejects if its port is in use. */
export async function serveConsole(composition: Composition): Promise<string> {
  const { config, plane, parts, stops } = composition
  const { client, informers, clock, log, random, metrics, spans } = parts
  const running = await startControllers(composition)
  const { manager, schedulerProfile, served } = running
  const controlPlane = await composition.reachability.until(() => controlPlaneId(client, plane.url))
  const { journal, directory } = await openJournalFor(composition, controlPlane)
  const sharing = await openSharingFor(composition, controlPlane)
  const audit = await openAudit(composition, sharing.store)
  const notifier = openNotifier(composition, { store: sharing.store, controlPlane, manager, directory })
  const login = openLogin(composition, { store: sharing.store, audit })
  const apiServerProbe = startApiServerProbe({ client, clock })
  stops.unshift(async () => apiServerProbe.stop())
  const onAnswer = respondToPages(parts)
  const build = buildId()
  let leaving = false
  const bff = createBff({
    client,
    informers,
    apiServerProbe,
    clock,
    log,
    random,
    journal,
    sharing,
    audit,
    schedulerProfile,
    allowedHosts: hostsOf(config),
    authenticator: login.authenticator,
    endpoints: login.endpoints,
    rateLimits: config.rateLimits,
    notices: notifier,
    failover: failoverSettings(composition, running.chosen),
    evictionsPerSecond: evictionsPerSecond(composition, running.chosen),
    authorOf: plane.authorOf,
    metrics: () => metrics.expose(),
    unreadyBecause: () =>
      leaving ? 'shutting down' : composition.isSeeding() ? 'creating the first objects' : undefined,
    security: config.login.security,
    build,
    figures: { ...metrics, httpRequest: (method, route, code, seconds) => onAnswer({ method, route, code, seconds }) },
    about: {
      mode: plane.mode,
      server: plane.url,
      user: plane.user,
      ...(!config.login.required && { kubeconfig: plane.kubectl }),
      reconcilers: () => whoRuns(running),
      troubled: () => parts.failureTracker.failing().map(troubledView),
      ...(composition.twin && { twin: twinView(composition.twin) }),
    },
    served,
    rehearsals: rehearsals({
      source: plane.url,
      settings: rehearsalSettings(composition, running.chosen),
      now: () => clock.now(),
    }),
  })
  stops.unshift(async () => bff.close())
  if (notifier) manager.add(noticeController(notifier, (look) => bff.followIncidents(look)))
  const {
    host,
    port,
    login: { publicUrl },
  } = config
  const behind = behindLogin(bff, login)
  await composition.waiting.close(0)
  const { url, close } = await startConsole({ host, port, bff: behind, publicUrl, build, log, spans, onAnswer })
  // Leadership is released while the last requests finish, so the next leader starts without delay.
  stops.unshift(async () => {
    leaving = true
    await Promise.all([close(), manager.stopControllers()])
  })
  return url
}

/** State shared with other instances of the same control plane. */
async function openSharingFor({ config, plane, parts, stops }: Composition, controlPlane: string): Promise<Sharing> {
  const { clock, random, log, metrics } = parts
  const sharing = await openSharing({
    redis: config.redis,
    controlPlane,
    clock,
    random,
    log,
    metrics,
    ...(plane.mode === 'embedded' && { folder: config.dataDir }),
  })
  stops.unshift(() => sharing.close())
  return sharing
}

const whoRuns = ({ controllers, chosen, manager }: RunningControllers) =>
  controllers.map((loop) => ({ name: loop.name, running: chosen.includes(loop), leader: manager.leads(loop.name) }))

function troubledView({ since, nextTryAt, ...rest }: FailingKey) {
  const { kind, key: name } = objectOfKey(rest.key)
  return {
    ...rest,
    name,
    ...(kind !== undefined && { kind }),
    since: isoTime(since),
    ...(nextTryAt !== undefined && { nextTryAt: isoTime(nextTryAt) }),
  }
}

interface Answer {
  method: string
  route: string
  code: number
  seconds: number
}

/** Counts an answer and renames its span to the route, which is only known after routing. */
function respondToPages({ metrics, spans }: Parts): (answer: Answer) => void {
  return ({ method, route, code, seconds }) => {
    metrics.httpRequest(method, route, code, seconds)
    spans.current()?.rename(`${method} ${route}`)
  }
}

/** Period over which the cluster status controller batches changes of pods. */
const MEMBER_REPORTS_AFTER_MS = 500

/** Returns the eviction rate of this process's taint manager, or else the one in `--karmada-flags`. */
function evictionsPerSecond({ config }: Composition, chosen: readonly Controller[]): number | undefined {
  const isOurs = chosen.some(({ name }) => name === 'taint-manager')
  return isOurs ? config.timing.resourceEvictionPerSecond : config.karmadaFlags?.evictionsPerSecond
}

/**
 * Returns settings with which a rehearsal behaves as the responsible controllers do: those of this process, or
 * Karmada's.
 */
function rehearsalSettings({ config, plane }: Composition, chosen: readonly Controller[]): RehearsalSettings {
  const { gates, failoverDefaults, karmadaFlags } = config
  const isOurs = plane.mode === 'embedded' || chosen.some(({ name }) => name === 'scheduler')
  const { gracefulEvictionTimeoutMs, evictionsPerSecond: rate } = karmadaFlags ?? {}
  return {
    gates: isOurs ? gates : (karmadaFlags?.gates ?? gates),
    failoverDefaults,
    compatibility: isOurs ? config.compatibility : karmadaWith(karmadaFlags),
    timing: {
      ...config.timing,
      ...(!isOurs && rate !== undefined && { resourceEvictionPerSecond: rate }),
      ...(!isOurs && gracefulEvictionTimeoutMs !== undefined && { gracefulEvictionTimeoutMs }),
    },
  }
}

/** Karmada's behaviour with its flags. */
function karmadaWith(flags: KarmadaFlags | undefined): CompatibilityProfile {
  const { scheduler } = karmadaProfile
  return { ...karmadaProfile, scheduler: { ...scheduler, profile: { ...scheduler.profile, ...flags?.scheduler } } }
}

/** Converts the flags of Karmada's controllers to failover settings. */
const settingsOf = ({ noExecuteEviction, gracefulEvictionTimeoutMs, applicationFailover }: KarmadaFlags) => ({
  noExecuteEviction,
  ...(gracefulEvictionTimeoutMs !== undefined && { gracefulEvictionTimeoutMs }),
  applicationFailover,
})

/**
 * Returns the failover settings of the responsible controllers. Those of Karmada's controllers are known from
 * `--karmada-flags` only.
 */
function failoverSettings({ config, plane }: Composition, chosen: readonly Controller[]): FailoverSettings {
  const { gracefulEvictionTimeoutMs, noExecuteAfterMs } = config.timing
  const timing = {
    evictionsPerSecond: config.timing.resourceEvictionPerSecond,
    reportsAfterMs: MEMBER_REPORTS_AFTER_MS,
  }
  const runs = (name: string): boolean => chosen.some((loop) => loop.name === name)
  const upstreamEviction = config.compatibility.gracefulEviction.upstreamEviction || !runs('graceful-eviction')
  if (plane.mode === 'connected') {
    return {
      upstreamEviction,
      ...(config.karmadaFlags && settingsOf(config.karmadaFlags)),
      ...(runs('taint-manager') && { noExecuteEviction: true }),
      ...(runs('graceful-eviction') && { gracefulEvictionTimeoutMs }),
      ...(runs('taint-manager') && runs('cluster-status') && { timing }),
    }
  }
  return {
    gracefulEvictionTimeoutMs,
    upstreamEviction,
    timing,
    noExecuteEviction: runs('taint-manager'),
    applicationFailover: runs('application-failover'),
    ...(noExecuteAfterMs !== undefined && { noExecuteAfterMs }),
  }
}
