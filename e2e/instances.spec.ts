/** Two consoles behind one address: killed, stopped and restarted under load, while every page stays correct. */
import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { follow, type Follower, freshView } from './support/followers'
import { type Instances, NO_REDIS, startInstances } from './support/instances'
import type { Kubectl } from './support/kubectl'
import { watchPage } from './support/page-watch'

test.skip(NO_REDIS !== undefined, NO_REDIS)
test.use({ flags: ['--no-demo', '--only=apiserver'] })
test.setTimeout(360_000)

const names = Array.from({ length: 8 }, (_, index) => `app-${index}`)
const TOPICS = ['workloads', 'clusters', 'workload/apps~v1/Deployment/default/app-0']
/** Number of readers of each topic. */
const READERS = 4
/** Maximum time until a browser that lost its instance is live again. */
const SOON = { timeout: 15_000 }

async function populate(kubectl: Kubectl): Promise<void> {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(names.map((name) => workload({ name, replicas: 2, placement: dynamicWeight })).join(''))
}

/** Changes bindings until stopped: the replicas of one workload after the other. */
function startLoad(kubectl: Kubectl): { stop(): Promise<number> } {
  let stopped = false
  const running = (async () => {
    for (let changes = 0; ; changes += 1) {
      if (stopped) return changes
      await kubectl.run([
        'scale',
        `deployment/${names[changes % names.length]}`,
        `--replicas=${1 + ((changes * 7) % 5)}`,
      ])
    }
  })()
  return {
    stop: () => {
      stopped = true
      return running
    },
  }
}

/** The entities of a view without their history, which differs by instance. */
function withoutHistory(held: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(held, (key, value: unknown) => (key === 'timeline' ? undefined : value)))
}

/** Waits until nothing changes any more, and every reader on every instance equals the API server. */
async function expectTruth(kubectl: Kubectl, instances: Instances, followers: readonly Follower[]): Promise<void> {
  await expect(async () => {
    const { items } = await kubectl.json<{ items: { metadata: { name: string }; spec: { replicas: number } }[] }>([
      'get',
      'deployments',
    ])
    const wanted = Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.replicas]))
    const expected: Record<string, unknown> = {}
    for (const topic of TOPICS) {
      const [one, two] = await Promise.all([freshView(instances.urlOf(0), topic), freshView(instances.urlOf(1), topic)])
      expect(withoutHistory(two), `${topic} on both instances`).toEqual(withoutHistory(one))
      expected[topic] = withoutHistory(one)
    }
    const shown = Object.values(
      expected.workloads as Record<string, { ref: { name: string }; desired: number; ready: number }>,
    )
    expect(Object.fromEntries(shown.map(({ ref, desired }) => [ref.name, desired]))).toEqual(wanted)
    expect(Object.fromEntries(shown.map(({ ref, ready }) => [ref.name, ready]))).toEqual(wanted)
    for (const { topic, reader } of followers) {
      expect(reader.state.phase).toBe('live')
      expect(withoutHistory(reader.held), topic).toEqual(expected[topic])
    }
  }).toPass({ timeout: 90_000 })
}

/** What all of them were sent, by kind. */
function countMessages(followers: readonly Follower[]): Record<string, number> {
  const kinds = ['snapshot', 'delta', 'compare', 'synced'] as const
  return Object.fromEntries(
    kinds.map((kind) => [kind, followers.reduce((sum, { reader }) => sum + reader.messages(kind).length, 0)]),
  )
}

const liveAgain = (followers: readonly Follower[]) =>
  expect.poll(() => followers.filter(({ reader }) => reader.state.phase !== 'live').length, SOON).toBe(0)

test('readers lose no row and no change while one instance is killed and both are rolled out under load', async ({
  product,
  kubectl,
  page,
}) => {
  const instances = await startInstances({ kubeconfig: product.kubeconfig, flags: ['--reconcilers=all'] })
  const followers: Follower[] = []
  try {
    await populate(kubectl)
    followers.push(...follow(instances.url, TOPICS, { count: READERS }))
    await liveAgain(followers)
    await page.goto(`${instances.url}/fleet`)
    await expect(page.getByTestId('workload-row')).toHaveCount(names.length)
    const glimpses = await watchPage(page)
    const chip = page.locator('[data-freshness]')
    const load = startLoad(kubectl)

    await test.step('kill -9 of one, and its return', async () => {
      await instances.kill(0)
      await expect(chip).toHaveAttribute('data-freshness', 'Live', SOON)
      await liveAgain(followers)
      await instances.start(0)
    })
    for (const index of [0, 1]) {
      await test.step(`roll-out of instance ${index}`, async () => {
        await instances.stop(index)
        await expect(chip).toHaveAttribute('data-freshness', 'Live', SOON)
        await liveAgain(followers)
        await instances.start(index)
      })
    }

    expect(await load.stop()).toBeGreaterThan(10)
    await expectTruth(kubectl, instances, followers)
    await expect(chip).toHaveAttribute('data-freshness', 'Live', SOON)
    const seen = await glimpses()
    expect(seen.errors).toEqual([])
    expect(seen.leastRows).toBe(names.length)
    expect(followers.map((follower) => follower.emptied())).toEqual(followers.map(() => 0))
    test.info().annotations.push({ type: 'resumed', description: JSON.stringify(countMessages(followers)) })
  } finally {
    for (const { reader } of followers) reader.close()
    await test.info().attach('instances.log', { body: instances.output(0) + instances.output(1) })
    await instances.close()
  }
})
