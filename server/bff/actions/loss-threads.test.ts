import { expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding, aCluster, byAvailableReplicas } from '@/lib/testing/builders'
import { LossComputation } from './loss-computation'
import { LossThreads } from './loss-threads'

const now = Date.parse('2026-01-02T00:00:00Z')
const NAMES = ['a', 'b', 'c']

const clusterOf = (name: string, cpu = '8'): Cluster => {
  const draft = aCluster(name, { cpu, region: 'r' }) as Cluster
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation: 1 } }
}

function bindingOf(name: string, cluster: string, generation = 1): ResourceBinding {
  const draft = aBinding(name, {
    replicas: 3,
    placement: { ...byAvailableReplicas(), clusterAffinity: { clusterNames: [cluster, 'c'] } },
    clusters: [{ name: cluster, replicas: 3 }],
  }) as ResourceBinding
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation } }
}

test('threads compute the same results, also after changes and from cached decisions', async () => {
  const threads = new LossThreads(1)
  const alive = setInterval(() => undefined, 1000)
  const bindings = [bindingOf('web', 'a'), bindingOf('api', 'b'), bindingOf('job', 'c')]
  const fleets = [
    { bindings, clusters: NAMES.map((name) => clusterOf(name)), now },
    {
      bindings: bindings.slice(1),
      clusters: [...NAMES.slice(0, 2).map((name) => clusterOf(name)), clusterOf('c', '2')],
      now,
    },
  ]
  let threaded: LossComputation | undefined
  for (const fleet of fleets) {
    threaded = new LossComputation(fleet, threaded)
    const alone = new LossComputation(fleet)
    for (const one of [threaded, alone]) one.addPairs()
    await threads.compute(threaded, { elapsed: () => 0, isWanted: () => true })
    while (!alone.isDone) alone.step(0)
    expect(threaded.isDone).toBe(true)
    for (const { clusters } of [...alone.base.sets, ...alone.pairs!.sets])
      expect(threaded.outcome(clusters), String(clusters)).toEqual(alone.outcome(clusters))
    expect(threaded.fixes).toEqual(alone.fixes)
  }
  await threads.close()
  clearInterval(alive)
})
