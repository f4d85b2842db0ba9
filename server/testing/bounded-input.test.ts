/**
 * Rules over the source that keep numbers of users from ending the process: no array is sized by a number that may come
 * from an object, and no time is written in a way that throws for one out of range.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatTime, isoTime } from '@/lib/std/clock'

/** Arrays whose size is not a literal, with the function that bounds it. */
const SIZED: Readonly<Record<string, string>> = {
  'server/members/workloads/replica-set-controller.ts': 'boundedReplicas',
  'server/members/workloads/ordinals.ts': 'its caller passes boundedReplicas',
  'server/members/workloads/job-plan.ts': 'PODS_PER_WORKLOAD',
  'server/members/workloads/clone-set-controller.ts': 'boundedReplicas in its plan',
  'lib/domain/division/division.ts': 'ranks of clusters, less than the number of clusters',
  'lib/domain/division/dynamic.ts': 'the length of the current result',
  'lib/domain/estimate/reported.ts': 'MAX_NODES',
  'lib/domain/placement/candidate.ts': 'the number of clusters',
  'lib/domain/twin/node-shape.ts': 'MAX_NODES',
  'server/members/node-controller.ts': 'parseNodeCount, at most 1,000',
  'lib/kube/cel/address.ts': 'the groups of one address',
  'lib/kube/validation/pod-dump.ts': 'lines of a text that is there',
  'server/bff/actions/loss-threads.ts': 'MAX_THREADS',
  'server/bff/auth/address.ts': 'the groups of one address',
  'server/bff/auth/cookies.ts': 'the length of a text that is there, and MAX_CHUNKS',
  'lib/view/lab/diff.ts': 'lines of texts that are there, at most MAX_LINES',
  'server/bff/access/ask-all.ts': 'a constant and a list that is there',
}
/** Where a time of this process itself is written. */
const WRITES_TIMES: ReadonlySet<string> = new Set([
  'lib/std/clock.ts',
  'lib/kube/schema-time.ts',
  'lib/kube/cel/format-text.ts',
])

const ROOTS = [
  'lib/domain',
  'lib/view',
  'lib/kube',
  'lib/std',
  'server/members',
  'server/reconcilers',
  'server/apiserver',
  'server/bff',
  'server/kube',
  'server/webhooks',
]
const NOT_SHIPPED = /\.test\.tsx?$|\/(fuzz|testing|conformance)\/|conformance\.ts$|-suite\.ts$|bench/

function sources(): string[] {
  return ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter((path) => /\.tsx?$/.test(path) && !NOT_SHIPPED.test(path)),
  )
}

const containing = (pattern: RegExp): string[] => sources().filter((path) => pattern.test(readFileSync(path, 'utf8')))

test('no array is sized by a number of users', () => {
  const sized = containing(/Array\.from\(\{ length: (?!\d+ \}|[A-Z_]+ \})|new Array\((?!\))|\.fill\(/)
  expect(sized.filter((path) => SIZED[path] === undefined)).toEqual([])
})

test('no time is written in a way that can throw', () => {
  expect(containing(/\.toISOString\(/).filter((path) => !WRITES_TIMES.has(path))).toEqual([])
})

describe('times out of range', () => {
  test.each([
    [Infinity, '9999-12-31T23:59:59Z'],
    [-Infinity, '0000-01-01T00:00:00Z'],
    [NaN, '1970-01-01T00:00:00Z'],
    [9e18, '9999-12-31T23:59:59Z'],
    [-9e18, '0000-01-01T00:00:00Z'],
    [1_999, '1970-01-01T00:00:01Z'],
    [0, '1970-01-01T00:00:00Z'],
  ])('%s is written as %s', (at, text) => {
    expect(formatTime(at)).toBe(text)
    expect(isoTime(at).slice(0, 19)).toBe(text.slice(0, 19))
  })
})
