/**
 * API server, webhook and controller of one member, in their own process as in production. Nothing else runs in the
 * member.
 */
import { randomUUID } from 'node:crypto'
import { allKinds } from '@/lib/kube/kinds'
import { openSqliteStore, startApiServer } from '@/server/apiserver'
import { createInformers } from '@/server/kube/informers'
import { createRestClient } from '@/server/kube/rest-client'
import { Expectations } from '@/server/members/expectations'
import { NodeLedger } from '@/server/members/scheduling/node-ledger'
import { startSpread, type MemberSpread } from '@/server/members/spread'
import { runController } from '@/server/runtime/run-controller'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'

export const BENCH_TOKEN = 'bench'
export const MEMBER = 'bench'

/** Resource usage of the process, and cost of the accounting. */
export interface Figures {
  cpuSeconds: number
  writes: number
  conflicts: number
  updates: number
}

async function serve(file: string): Promise<void> {
  const server = await startApiServer({
    store: await openSqliteStore(file),
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => randomUUID(),
    random: Math.random,
    tokens: [{ token: BENCH_TOKEN, user: 'bench', groups: ['system:masters'] }],
  })
  let spread: MemberSpread | undefined
  process.on('message', (message) => {
    if (message === 'start') {
      spread = startMember(server.url)
      process.send?.('started')
    } else process.send?.(figuresOf(spread))
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(server.url)
}

function startMember(url: string): MemberSpread {
  const client = createRestClient({ url, token: BENCH_TOKEN, userAgent: 'bench' }).member(MEMBER)
  const log = createLogger({ level: 'warn' })
  const clock = systemClock
  const informers = createInformers({
    client,
    clock,
    random: Math.random,
    onError: (error) => log.error({ err: error }, 'failed'),
  })
  const member = {
    name: MEMBER,
    client,
    informers,
    clock,
    settings: () => ({
      nodes: 0,
      cpu: '0',
      memory: '0',
      readyAfterMs: 0,
      unhealthy: new Set<string>(),
      reportsReady: false,
      down: false,
    }),
    onSettings: () => () => undefined,
    events: { record: () => undefined, flush: async () => undefined },
    changesPods: () => true,
    ledger: new NodeLedger(informers, () => undefined),
    expectations: new Expectations(informers, clock),
  }
  const spread = startSpread(member, { log, random: Math.random })
  for (const controller of spread.controllers) runController(controller, { informers, clock, log })
  return spread
}

function figuresOf(spread: MemberSpread | undefined): Figures {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, ...(spread?.figures ?? { writes: 0, conflicts: 0, updates: 0 }) }
}

await serve(process.argv[2] as string)
