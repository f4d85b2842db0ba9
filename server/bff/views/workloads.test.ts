import { expect, test } from 'vitest'
import { message } from '@/lib/messages/message'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { parseTime } from '@/lib/std/clock'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { SETTLING_MS } from '@/lib/view/project/settling'
import { reportOf, sampleBinding, sampleCluster, sampleWork, T0 } from '@/lib/view/project/testing/samples'
import { EVERYTHING } from '../access/scope'
import { FedInformers } from '../testing/fed-informers'
import { workloadRowsOf } from '../testing/workload-rows'
import { ControlPlaneCache } from '../cache/control-plane-cache'

const WEB = 'apps~v1/Deployment/demo/web'
const starting = () =>
  sampleBinding({
    status: {
      lastScheduledTime: T0,
      aggregatedStatus: [
        reportOf('m1', 2, { health: 'Unhealthy', status: { replicas: 2, readyReplicas: 1 } }),
        reportOf('m2', 1),
      ],
    },
  })

/** One workload of which a replica is not ready, one second after it was scheduled. */
function startRows() {
  const informers = new FedInformers()
  const clock = createFakeClock(parseTime(T0) + 1000)
  const { workloads: rows, start, stop } = workloadRowsOf(new ControlPlaneCache(informers), clock)
  const touched: string[] = []
  rows.touched.listen((id) => touched.push(id))
  start()
  for (const name of ['m1', 'm2']) {
    informers.of(cluster).put(sampleCluster(name))
    informers.of(work).put(sampleWork(name))
  }
  informers.of(resourceBinding).put(starting())
  return { informers, clock, rows, stop, touched }
}

test('a replica that is not ready is starting for a while, then it is short, and the row is touched for that', async () => {
  const { clock, rows, touched } = startRows()
  expect(rows.row(WEB, EVERYTHING)?.state).toEqual({
    state: 'active',
    reason: message('common.inCluster', { cluster: 'm1', reason: message('workload.cell.starting', { n: 1 }) }),
  })
  touched.length = 0
  await clock.advance(SETTLING_MS - 1001)
  expect(touched).toEqual([])
  await clock.advance(1)
  expect(touched).toEqual([WEB])
  expect(rows.row(WEB, EVERYTHING)?.state).toEqual({
    state: 'warn',
    reason: message('common.inCluster', { cluster: 'm1', reason: message('workload.cell.short', { n: 1 }) }),
  })
})

test('a changed manifest gives time to start again, an unchanged one does not', async () => {
  const { informers, clock, rows, stop } = startRows()
  await clock.advance(SETTLING_MS)
  const sent = sampleWork('m1')
  informers.of(work).put({ ...sent, metadata: { ...sent.metadata, labels: { ...sent.metadata.labels, seen: 'yes' } } })
  expect(rows.row(WEB, EVERYTHING)?.state.state).toBe('warn')
  informers.of(work).put({ ...sent, metadata: { ...sent.metadata, generation: 2 } })
  expect(rows.row(WEB, EVERYTHING)?.state.state).toBe('active')
  stop()
  expect(clock.timers).toBe(0)
})
