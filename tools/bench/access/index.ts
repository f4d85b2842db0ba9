/**
 * Access of many users, each allowed to list in some of many namespaces: time until they see their objects, requests to
 * the API server to keep that current, and time until revoked objects disappear.
 */
import { parseArgs } from 'node:util'
import { quantileOf } from '../quantile'
import { ask, withPrograms } from '../stream/programs'
import { countOf } from '../usage'
import type { FederationShape } from './federation'
import type { AccessFigures, ServeOptions } from './serve'
import type { FirstViews, UsersOptions } from './users'

/**
 * Flags: `--users N` (100), `--namespaces N` (1000), `--each N` (10) namespaces of each user, `--seconds S` (60) idle,
 * `--unwatched`: the console may not list RBAC objects.
 */
export async function benchAccess(argv: string[]): Promise<object> {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    args: argv,
    options: {
      users: text('100'),
      namespaces: text('1000'),
      each: text('10'),
      seconds: text('60'),
      unwatched: { type: 'boolean', default: false },
    },
  })
  const shape = {
    users: countOf('users', values.users),
    namespaces: countOf('namespaces', values.namespaces),
    each: countOf('each', values.each),
  }
  const [seconds, unwatched] = [countOf('seconds', values.seconds), values.unwatched]
  return withPrograms(['accessPlane', 'accessServe', 'accessUsers'], async (start) => {
    const { child: plane, told: api } = await start<string>('accessPlane', JSON.stringify(shape))
    const { child: server, told: url } = await start<string>('accessServe', json<ServeOptions>({ url: api, unwatched }))
    const begin = await ask<AccessFigures>(server, 'figures')
    const { child: users, told: views } = await start<FirstViews>('accessUsers', json<UsersOptions>({ url, shape }))
    const seen = await ask<AccessFigures>(server, 'figures')
    await sleep(seconds * 1000)
    const rested = await ask<AccessFigures>(server, 'figures')
    const [at, lost] = await Promise.all([ask<number[]>(plane, 'take'), ask<number[]>(users, 'lost')])
    return {
      shape: {
        ...shape,
        rbac: unwatched ? 'not readable by the console' : 'watched',
        store: 'memory, in another process',
      },
      ...figuresOf(shape, { begin, seen, rested, seconds, views }),
      accessLostMilliseconds: quantiles(lost.map((each, user) => each - (at[user] ?? 0))),
      limitedBy: unwatched
        ? 'reviews, a bounded number at once'
        : 'one thread that derives the rights of each user from RBAC and filters views',
    }
  })
}

interface Measured {
  begin: AccessFigures
  seen: AccessFigures
  rested: AccessFigures
  seconds: number
  views: FirstViews
}

function figuresOf(shape: FederationShape, { begin, seen, rested, seconds, views }: Measured): object {
  return {
    firstViewMilliseconds: quantiles(views.first),
    completeMilliseconds: quantiles(views.complete),
    reviewsUntilComplete: seen.reviews - begin.reviews,
    atRest: {
      reviewsPerSecond: round((rested.reviews - seen.reviews) / seconds),
      reviewsPerUserAndMinute: round(((rested.reviews - seen.reviews) / seconds / shape.users) * 60),
      serverCores: round((rested.cpuSeconds - seen.cpuSeconds) / seconds),
      residentMegabytes: rested.residentMegabytes,
      heapMegabytes: rested.heapMegabytes,
    },
  }
}

function quantiles(values: readonly number[]): Record<'p50' | 'p99' | 'most', number> {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(quantileOf(sorted, share) ?? 0)
  return { p50: at(0.5), p99: at(0.99), most: at(1) }
}

const json = <T>(value: T): string => JSON.stringify(value)
const round = (value: number): number => Number(value.toFixed(2))
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
