/** The backend for the frontend: HTTP actions and live views over one set of caches. */
import type { Message } from '@/lib/messages/message'
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { CauseFacts } from '@/lib/domain/cause'
import type { FailoverSettings } from '@/lib/domain/failover'
import type { Kind } from '@/lib/kube/kind'
import { lease } from '@/lib/kube/kinds/lease'
import { NAMESPACE_SYSTEM } from '@/lib/kube/names'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Clock, Stop } from '@/lib/std/clock'
import type { RunningIncident } from '@/lib/view/notices/incidents'
import { LIVE_PATH } from '@/lib/view/live'
import type { KubeClient } from '@/server/kube/client'
import type { Informers } from '@/server/kube/informer'
import type { ApiServerProbe } from '@/server/kube/api-server-probe'
import type { Logger } from '@/server/runtime/controller'
import { EVERYTHING } from './access/scope'
import { AccessCache } from './access/access-cache'
import type { AboutFacts } from './actions/about'
import { apiEndpoints } from './actions/endpoints'
import { AuditLog } from './audit/audit-log'
import { noSink } from './audit/audit-sink'
import { followEventRecords } from './audit/event-records'
import type { Authenticator } from './auth/authenticator'
import { createLocalAuthenticator } from './auth/local'
import { createApi } from './http/api'
import type { SecurityContact } from './http/security-txt'
import type { AnyEndpoint } from './http/endpoint'
import { foreignRequest, ownNames } from './http/guard'
import type { RateLimitSettings } from './http/rate-limits'
import { FlushSchedule } from './live/flush-schedule'
import { LiveGateway } from './live/gateway'
import type { GatewayLimits, SessionLimits } from './live/limits'
import { createHub } from './live/topics'
import { type BffMetrics, noBffMetrics } from './metrics-hooks'
import { followIncidents } from './notices/incident-feed'
import type { NoticeReceivers } from './notices/receivers'
import { Journal } from './recorder/journal'
import { Rehearsals, type RehearsalLimits, type RunRehearsal } from './rehearsals/rehearsals'
import { createMemoryStore } from './shared/memory-store'
import type { Sharing } from './shared/sharing'
import { watchControlPlane } from './views/all'
import { LossPredictions } from './recorder/loss-predictions'
import { followPredictions, followRebalancers } from './recorder/prediction-figures'
import { ControlPlaneCache } from './cache/control-plane-cache'
import type { UnreadyCause } from './http/probes'
import { logConnection } from './cache/connection-log'
import { allServed, type ServedKinds } from './cache/served-kinds'

export type { AboutFacts } from './actions/about'
export { type AuditLog, openAuditLog } from './audit/audit-log'
export { openAuditSink } from './audit/audit-sink'
export { KINDS_READ } from './cache/control-plane-cache'
export { definitionWatch } from './cache/definition-watch'
export { FollowedKinds } from './cache/served-kinds'
export { foreignRequest, ownNames } from './http/guard'
export { claimDirectory } from './recorder/claim-directory'
export { type Journal, openJournal } from './recorder/journal'
export { openJournalFiles } from './recorder/journal-files'
export type { RehearsalLimits, RehearsalOutcome, RunRehearsal } from './rehearsals/rehearsals'
export { controlPlaneId, openSharing, type Sharing } from './shared/sharing'

/** By the defaults of Karmada's scheduler. */
const SCHEDULER_LEASE = { namespace: NAMESPACE_SYSTEM, name: 'karmada-scheduler' }

export interface BffDeps {
  client: KubeClient
  informers: Informers
  clock: Clock
  log: Logger
  /** Uniform in [0, 1). */
  random: () => number
  about: AboutFacts
  /**
   * Host names, with or without port, under which the console may be reached, or its address; with an address, pages of
   * that name must use its scheme. Loopback names are always accepted.
   */
  allowedHosts: readonly string[]
  /** The kinds that can be listed and watched here. Default: all. */
  served?: ServedKinds | undefined
  /** The behaviour of the active scheduler, used by previews. Default: that of Evenkeel. */
  schedulerProfile?: SchedulerProfile
  /** Rate of the eviction controller, if known; used for recovery estimates. */
  evictionsPerSecond?: number | undefined
  /** Returns the user who last changed the spec of an object, if known. Default: no user is named. */
  authorOf?: CauseFacts['author']
  /** Settings of the failover controllers. Default: their defaults. */
  failover?: FailoverSettings
  /** The journal; the caller closes it. Default: one in memory that begins with the process. */
  journal?: Journal
  /** Probes whether the API server responds at all; the caller stops it. Default: not probed. */
  apiServerProbe?: ApiServerProbe
  /** The state shared by instances; the caller closes it. Default: this instance runs alone. */
  sharing?: Sharing
  /** Returns the text of `/metrics`; absent: not served. */
  metrics?: () => Promise<{ contentType: string; text: string }>
  /** Identifies the build of the pages, see HelloMessage. Default: not announced. */
  build?: string | undefined
  /** While it returns a cause `/readyz` fails, so that traffic goes to other instances. */
  unreadyBecause?: () => UnreadyCause | undefined
  /** The contact for vulnerability reports. Default: none. */
  security?: SecurityContact | undefined
  /** Metrics hooks. Default: none. */
  figures?: BffMetrics
  /** Authenticates requests; the caller closes it. Default: all requests use the console's own credentials. */
  authenticator?: Authenticator
  /** Additional endpoints: those of the login. */
  endpoints?: readonly AnyEndpoint[]
  /** The audit log; the caller closes it. Default: in memory, not written anywhere. */
  audit?: AuditLog
  rateLimits?: RateLimitSettings
  /** Receivers of notices. Default: none. */
  notices?: NoticeReceivers | undefined
  /** Runs rehearsals, with their limits. Default: none. */
  rehearsals?: { run: RunRehearsal; limits: RehearsalLimits } | undefined
  /** For tests. */
  limits?: Partial<SessionLimits & GatewayLimits>
}

export interface Bff {
  /** Names of the stream's topics; for topics of pages, the part before the slash. */
  readonly topics: readonly string[]
  /**
   * Answers the request; resolves to false when the path belongs to another handler. Never rejects because of a client.
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Serves the live protocol on that server, next to its other listeners. */
  attach(httpServer: HttpServer): void
  /** Returns why a request of another site, or with another host name, is refused; undefined when it is accepted. */
  foreign(request: IncomingMessage): Message | undefined
  /** Calls `look` with all running incidents once the caches are complete and after changes, until stopped. */
  followIncidents(look: (running: RunningIncident[]) => void): Stop
  /** Ends every live connection so that the browsers reconnect to another instance; HTTP is still answered. */
  sendAway(): void
  /** Disconnects all browsers and stops following the caches, which the owner closes. */
  close(): void
}

/** Creates the BFF and follows the caches. It answers immediately; `/readyz` reports when the caches are complete. */
export function createBff(deps: BffDeps): Bff {
  const {
    client,
    informers,
    clock,
    log,
    random,
    about,
    limits,
    schedulerProfile: profile,
    figures = noBffMetrics,
  } = deps
  const cache = new ControlPlaneCache(informers, deps.served ?? allServed, deps.apiServerProbe)
  const stopConnectionLog = logConnection({ cache, clock, log })
  const names = ownNames(deps.allowedHosts)
  const journal = deps.journal ?? new Journal({ clock })
  const views = watchControlPlane({
    cache,
    clock,
    journal,
    failover: deps.failover,
    profile,
    evictionsPerSecond: deps.evictionsPerSecond,
    authorOf: deps.authorOf,
    schedulerLease: about.mode === 'connected' ? () => client.get(lease, SCHEDULER_LEASE) : undefined,
    onError: (error) => log.error({ err: error }, 'failed to follow the incidents of lost clusters'),
  })
  const newEpoch = (): string => `${clock.now().toString(36)}-${Math.floor(random() * 2 ** 32).toString(36)}`
  const audit = deps.audit ?? new AuditLog({ sink: noSink(), clock, random, log })
  const schedule = new FlushSchedule(clock, () => gateway.sockets)
  const unread = {
    why: (kind: Kind) => cache.whyUnread(kind),
    onChange: (handler: () => void) => cache.onUnreadChange(handler),
  }
  const flushIntervalMs = (ownMs?: number): number => schedule.intervalMs(ownMs)
  const hub = createHub({ views, audit, clock, newEpoch, log, unread, flushIntervalMs })
  const foreign = (request: IncomingMessage): Message | undefined => foreignRequest(request, names)
  const access = new AccessCache({ client, informers, cache, clock, random, log, metrics: figures })
  const authenticator = deps.authenticator ?? createLocalAuthenticator({ client, clock, user: about.user })
  const store =
    deps.sharing?.store
    ?? createMemoryStore({ clock, onError: (error) => log.error({ err: error }, 'failed to handle a message') })
  const gateway: LiveGateway = new LiveGateway({
    cache,
    hub,
    schedule,
    authenticator,
    access,
    clock,
    log,
    foreign,
    build: deps.build,
    limits,
    metrics: figures,
    store,
    adapter: deps.sharing?.socketAdapter,
  })
  const runs = deps.rehearsals && new Rehearsals({ run: deps.rehearsals.run, clock, random, log })
  const own = apiEndpoints({
    cache,
    views,
    hub,
    journal,
    audit,
    clock,
    random,
    about,
    profile,
    failover: deps.failover,
    notices: deps.notices,
    rehearsals: runs && { runs, limits: deps.rehearsals!.limits },
  })
  const router = createApi({
    endpoints: [...own, ...(deps.endpoints ?? [])],
    probes: { cache, metrics: deps.metrics, unreadyBecause: deps.unreadyBecause, clock, security: deps.security },
    names,
    authenticator,
    store,
    audit,
    clock,
    log,
    accessOf: (principal) => access.of(principal),
    metrics: figures,
    rateLimits: deps.rateLimits,
  })
  views.start()
  const lossPredictions = new LossPredictions({
    cache,
    journal,
    clock,
    metrics: figures,
    profile,
    failover: deps.failover,
  })
  lossPredictions.start()
  let forgetEvents: Stop = () => undefined
  audit.onFirstLook(() => {
    const events = cache.events()
    forgetEvents = followEventRecords(events, (record) => audit.report(record))
    return events.whenSynced()
  })
  const forgetPredictions = followPredictions(cache.plans, { journal, metrics: figures })
  const forgetRebalancers = followRebalancers({
    scheduled: views.expected.scheduled,
    rebalancersNaming: (id) => cache.rebalancersOf(id).map(({ metadata }) => metadata.name),
    row: (name) => views.rebalancers.row(name, EVERYTHING),
    prepare: (names, isLong) => views.rebalancers.prepare(EVERYTHING, isLong, names),
    journal,
    metrics: figures,
    clock,
  })
  return {
    topics: hub.names,
    handle: async (request, response) => isLive(request) || router.handle(request, response),
    attach: (httpServer) => gateway.attach(httpServer),
    foreign,
    followIncidents: (look) =>
      followIncidents(
        {
          cache,
          failovers: views.failovers,
          plans: views.plans,
          clock,
          onError: (error) => log.error({ err: error }, 'failed to evaluate incidents'),
        },
        look,
      ),
    sendAway: () => gateway.sendAway(),
    close: () => {
      runs?.close()
      gateway.close()
      hub.close()
      forgetPredictions()
      forgetRebalancers()
      lossPredictions.stop()
      forgetEvents()
      views.stop()
      stopConnectionLog()
      access.close()
      if (!deps.authenticator) authenticator.close()
    },
  }
}

/** Requests of the live protocol are answered by the gateway's own listener. */
function isLive({ url = '' }: IncomingMessage): boolean {
  return url === LIVE_PATH || url.startsWith(`${LIVE_PATH}/`) || url.startsWith(`${LIVE_PATH}?`)
}
