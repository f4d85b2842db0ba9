import { expect, test } from 'vitest'
import { type Cluster, cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aCluster, byAvailableReplicas, type ClusterOptions } from '@/lib/testing/builders'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { sampleBinding } from '@/lib/view/project/testing/samples'
import { EVERYTHING } from '../access/scope'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { ReadModels } from '../read-model/read-model'
import { Journal } from '../recorder/journal'
import { FedInformers } from '../testing/fed-informers'
import type { ApiDeps } from './api-deps'
import { LossSurvey } from './loss-survey'

function startSurvey() {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const journal = new Journal({ clock })
  const models = new ReadModels({ cache } as ConstructorParameters<typeof ReadModels>[0])
  const survey = new LossSurvey({ cache, clock, journal, views: { models } } as unknown as ApiDeps)
  return { informers, clock, journal, survey }
}

function memberOf(name: string, options: ClusterOptions = {}): Cluster {
  const draft = aCluster(name, options) as Cluster
  return { ...draft, metadata: { ...draft.metadata, uid: name, generation: 1 } }
}

const pinned = (clusterNames: string[], generation: number) =>
  sampleBinding({
    clusters: { m1: 1 },
    spec: { placement: { ...byAvailableReplicas(), clusterAffinity: { clusterNames } } },
    metadata: { generation },
  })

test('from the first look on, the score follows the fleet without being asked', () => {
  const { informers, clock, journal, survey } = startSurvey()
  const bindings = informers.of(resourceBinding)
  for (const name of ['m1', 'm2', 'm3']) informers.of(cluster).put(memberOf(name))
  bindings.put(pinned(['m1'], 1))
  informers.syncAll()
  clock.advance(60_000)
  expect(journal.scores).toEqual([])
  survey.losses(EVERYTHING, undefined)
  expect(journal.scores).toHaveLength(1)
  const [first] = journal.scores

  clock.advance(20_000)
  bindings.put(pinned(['m1', 'm2'], 2))
  clock.advance(1_900)
  expect(journal.scores).toHaveLength(1)
  clock.advance(200)
  expect(journal.scores).toHaveLength(2)
  expect(journal.scores[1]!.score).toBeGreaterThan(first!.score)
})

test('reports of what is used do not begin a computation', () => {
  const { informers, clock, survey } = startSurvey()
  informers.of(cluster).put(memberOf('m1'))
  informers.of(resourceBinding).put(pinned(['m1'], 1))
  informers.syncAll()
  const { computedAt } = survey.losses(EVERYTHING, undefined)
  clock.advance(20_000)
  informers.of(cluster).put(memberOf('m1', { allocated: { cpu: '3' } }))
  clock.advance(10_000)
  expect(clock.timers).toBe(0)
  expect(survey.losses(EVERYTHING, undefined).computedAt).toBe(computedAt)
})
