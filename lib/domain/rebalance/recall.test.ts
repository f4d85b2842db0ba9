import { describe, expect, test } from 'vitest'
import type { PlannedWorkload } from '@/lib/kube/kinds/rebalance-plan'
import { applyMergePatch } from '@/lib/kube/patch'
import { english } from '@/lib/messages/english'
import { byAvailableReplicas } from '@/lib/testing/builders'
import type { Binding } from '../placement'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { decideApproval, decideNextStep, sinceKey } from './run'
import { workloadKey } from './sync-status'

const START = Date.parse('2026-01-02T00:00:00Z')
const LIMIT_MS = 120_000
const clusters = [aCluster('member1', 20), aCluster('member2', 4)]
const refOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })
const [web, other] = [refOf('web'), refOf('other')]

/** A plan that triggered both workloads at the start, of which the scheduler has not acted on `web`. */
function triggered() {
  const placement = byAvailableReplicas()
  const bindings = new Map<string, Binding>([
    [workloadKey(web), aBinding('web', { member1: 1, member2: 5 }, { placement })],
    [workloadKey(other), aBinding('other', { member2: 6 }, { placement })],
  ])
  const plan = { name: 'p', uid: 'u', generation: 1, spec: { workloads: [web, other], autoApprove: true }, status: {} }
  const spec = { ...plan.spec, waves: { size: 2 } }
  const writing = { english: english.of, clusters }
  const { status } = decideApproval({
    plan: { ...plan, spec },
    bindings: [...bindings.values()],
    now: START,
    ...writing,
  })
  const decide = (of: typeof status, now: number, more: { since?: Map<string, number>; busyAt?: number } = {}) =>
    decideNextStep({ plan: { ...plan, spec, status: of }, bindings, since: new Map(), now, ...writing, ...more })
  const begun = decide(status, START)
  const write = (decision: typeof begun): void => {
    for (const { details } of decision.steps) {
      const key = workloadKey(details.workload)
      const { metadata, ...rest } = applyMergePatch(bindings.get(key)!, details.patch) as Binding
      bindings.set(key, { ...rest, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } })
    }
  }
  write(begun)
  const since = new Map([[sinceKey(workloadKey(web), 'Triggered'), START]])
  const later = (of: typeof status, now: number, busyAt?: number) =>
    decide(of, now, { since, ...(busyAt !== undefined && { busyAt }) })
  const change = (patch: object): void =>
    void bindings.set(workloadKey(web), applyMergePatch(bindings.get(workloadKey(web))!, patch) as Binding)
  return { begun: begun.status, later, write, change, web: () => bindings.get(workloadKey(web))! }
}

type Status = ReturnType<typeof triggered>['begun']
const withOther = (status: Status, entry: Partial<PlannedWorkload>): Status => ({
  ...status,
  workloads: status.workloads?.map((one) => (one.workload.name === 'other' ? { ...one, ...entry } : one)),
})
const otherFailed = (status: Status): Status => withOther(status, { stage: 'Failed', reason: 'NeverScheduled' })
const otherDone = (status: Status, at: string): Status => withOther(status, { stage: 'Done', finishedAt: at })
const stepsOf = ({ steps }: ReturnType<ReturnType<typeof triggered>['later']>) =>
  steps.filter(({ details }) => details.workload.name === 'web').map(({ act }) => act)
const stageOf = ({ status }: ReturnType<ReturnType<typeof triggered>['later']>) =>
  status.workloads?.find(({ workload }) => workload.name === 'web')?.stage

describe('a request on which the scheduler does not act', () => {
  test('is not given up while the scheduler works through the wave', () => {
    const { begun, later } = triggered()
    const busy = later(otherDone(begun, '2026-01-02T00:02:00Z'), START + LIMIT_MS + 5000)
    expect([stepsOf(busy), stageOf(busy)]).toEqual([[], 'Triggered'])
    const absent = later(otherDone(begun, '2026-01-02T00:02:00Z'), START + 2 * LIMIT_MS)
    expect(stepsOf(absent)).toEqual(['recall'])
  })

  test('is not given up while the scheduler works on what it had before', () => {
    const { begun, later } = triggered()
    const busy = later(otherFailed(begun), START + 2 * LIMIT_MS, START + LIMIT_MS + 1000)
    expect([stepsOf(busy), stageOf(busy), busy.requeueAfterMs]).toEqual([[], 'Triggered', 1000])
    expect(stepsOf(later(otherFailed(begun), START + 2 * LIMIT_MS + 1000, START + LIMIT_MS + 1000))).toEqual(['recall'])
  })

  test('is removed first, and the protection only once the scheduler knows that', () => {
    const { begun, later, write, change, web } = triggered()
    const recalled = later(otherFailed(begun), START + LIMIT_MS)
    write(recalled)
    expect(web().spec.rescheduleTriggeredAt).toBeUndefined()
    expect(web().spec.suspension?.dispatchingOnClusters?.clusterNames).toEqual(['member2'])
    const waiting = later(otherFailed(recalled.status), START + LIMIT_MS + 1000)
    expect([stepsOf(waiting), stageOf(waiting), waiting.requeueAfterMs]).toEqual([[], 'Triggered', LIMIT_MS - 1000])
    change({ status: { schedulerObservedGeneration: web().metadata.generation } })
    const over = later(otherFailed(recalled.status), START + LIMIT_MS + 2000)
    expect([stepsOf(over), stageOf(over), over.status.holds]).toEqual([['withdraw'], 'Failed', 1])
    write(over)
    expect(web().spec.suspension?.dispatchingOnClusters).toBeUndefined()
  })

  test('does not wait for ever for a scheduler that is away', () => {
    const { begun, later, write } = triggered()
    const recalled = later(otherFailed(begun), START + LIMIT_MS)
    write(recalled)
    expect(stepsOf(later(otherFailed(recalled.status), START + 2 * LIMIT_MS))).toEqual(['withdraw'])
  })

  test('is followed, with its protection, if the scheduler acts nevertheless', () => {
    const { begun, later, write, change, web } = triggered()
    const recalled = later(otherFailed(begun), START + LIMIT_MS)
    write(recalled)
    const moved = {
      spec: {
        clusters: [
          { name: 'member1', replicas: 5 },
          { name: 'member2', replicas: 1 },
        ],
      },
    }
    const lastScheduledTime = '2026-01-02T00:02:01Z'
    change({ ...moved, status: { lastScheduledTime, schedulerObservedGeneration: web().metadata.generation } })
    const followed = later(otherFailed(recalled.status), START + LIMIT_MS + 2000)
    expect([stepsOf(followed), stageOf(followed)]).toEqual([[], 'Scheduled'])
    expect(web().spec.suspension?.dispatchingOnClusters?.clusterNames).toEqual(['member2'])
  })

  test('is a fault also if the status that reported it was not written', () => {
    const { begun, later, write, change, web } = triggered()
    const recalled = later(otherFailed(begun), START + LIMIT_MS)
    write(recalled)
    change({ status: { schedulerObservedGeneration: web().metadata.generation } })
    write(later(otherFailed(recalled.status), START + LIMIT_MS + 2000))
    const again = later(otherFailed(recalled.status), START + LIMIT_MS + 3000)
    expect([stageOf(again), again.status.phase]).toEqual(['Failed', 'Held'])
  })
})
