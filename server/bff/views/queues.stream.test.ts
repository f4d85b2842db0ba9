/** Queues on the wire: through the composed server, its topics and its protocol. */
import { expect, test } from 'vitest'
import { Tenants } from '@/lib/domain/queue/testing/tenants'
import { queue as queueKind } from '@/lib/kube/kinds/queue'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { WorkloadView } from '@/lib/view/model'
import type { QueueDetailView, QueueView } from '@/lib/view/queue-model'
import { eventually, startBff } from '../testing/start-bff'

test('rows, a page and what keeps a workload back follow a pause and its end', async () => {
  const { informers, read } = await startBff()
  const tenants = new Tenants()
    .queue('red', { quota: { hard: { cpu: '1' } } })
    .submit('red', 'runs', { suspended: false, cluster: 'member1' })
    .submit('red', 'web')
  const feed = (): void => {
    for (const each of tenants.queues.values()) informers.of(queueKind).put(each)
    for (const each of tenants.bindings.values()) informers.of(resourceBinding).put(each)
  }
  tenants.pass()
  feed()
  informers.syncAll()
  const [rows, page, workloads] = [read('queues'), read('queue/red/line'), read('workloads')]
  const seen = () => ({
    row: rows.held['red/line'] as QueueView | undefined,
    page: page.held['red/line'] as QueueDetailView | undefined,
    held: (workloads.held['apps~v1/Deployment/red/web'] as WorkloadView | undefined)?.held,
  })
  await eventually(() =>
    expect(seen()).toMatchObject({
      row: { pending: 1, admitted: 1 },
      page: { pendingWorkloads: [{ position: 1, reason: 'OverQuota' }] },
      held: { by: 'queue', position: 1 },
    }),
  )
  tenants.change('red', { spec: { hold: { reason: 'audit', by: 'ann', since: '2026-01-02T00:00:00Z' } } }).pass()
  feed()
  await eventually(() =>
    expect(seen()).toMatchObject({
      row: { hold: { state: 'effective' } },
      page: { pendingWorkloads: [{ reason: 'Held' }] },
      held: { by: 'hold', who: 'ann' },
    }),
  )
  tenants
    .change('red', { spec: { hold: null } })
    .finish('red/runs')
    .pass()
  informers.of(resourceBinding).remove(informers.of(resourceBinding).get('red/runs')!)
  feed()
  await eventually(() => {
    expect(seen()).toMatchObject({
      row: { pending: 0, inFlight: 1 },
      page: { pendingWorkloads: [], inFlight: [{ id: 'apps~v1/Deployment/red/web' }] },
    })
    expect([seen().row?.hold, seen().held]).toEqual([undefined, undefined])
  })
  informers.of(queueKind).remove(tenants.queues.get('red/line')!)
  await eventually(() => expect([seen().row, seen().page]).toEqual([undefined, undefined]))
})

test('the page of what is no queue is refused', async () => {
  const { informers, read } = await startBff()
  informers.syncAll()
  const reader = read('queue/line')
  await eventually(() => expect(reader.state.phase).toBe('refused'))
})
