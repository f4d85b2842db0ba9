import { afterEach, beforeEach, expect, test } from 'vitest'
import { aggregated, duplicated } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { schedulerController } from '.'
import { placedOf, schedulingIn } from './testing/scheduling'

let env: Env
let words: ReturnType<typeof schedulingIn>
beforeEach(async () => {
  env = await startEnv()
  words = schedulingIn(env)
  for (const name of ['member1', 'member2', 'member3']) await env.createCluster(name)
})
afterEach(() => env.close())

const names = ['a', 'b', 'c']
const run = (workloadAffinity: boolean) =>
  env.run(schedulerController(env.context(), { profile: { workloadAffinity } }))

async function placesOf(groups: object): Promise<string[][]> {
  for (const name of names)
    await words.bind(name, { placement: aggregated(), spec: { workloadAffinityGroups: groups } })
  await Promise.all(names.map((name) => words.says(name, /^True/)))
  return Promise.all(names.map(async (name) => Object.keys(placedOf(await words.read(name)))))
}

test('workloads of one anti-affinity group that are created at once go to different clusters', async () => {
  await run(true)
  expect((await placesOf({ antiAffinityGroup: 'shop' })).flat().toSorted()).toEqual(['member1', 'member2', 'member3'])
  await words.bind('d', { spec: { workloadAffinityGroups: { antiAffinityGroup: 'shop' } } })
  await words.says(
    'd',
    'False NoClusterFit: 0/3 clusters are available: 3 cluster already has workload with the same anti-affinity group.',
  )
})

test('workloads of one affinity group go where the first went', async () => {
  await run(true)
  await words.bind('first', {
    placement: duplicated('member2'),
    spec: { workloadAffinityGroups: { affinityGroup: 'shop' } },
  })
  await words.becomes('first', { member2: 1 })
  expect(await placesOf({ affinityGroup: 'shop' })).toEqual([['member2'], ['member2'], ['member2']])
})

test('groups do not count without the feature gate', async () => {
  await run(false)
  expect(new Set((await placesOf({ antiAffinityGroup: 'shop' })).flat())).toEqual(new Set(['member1']))
})
