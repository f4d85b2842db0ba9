/**
 * One leader for each controller, for any number of instances: a killed one is replaced within the lease, a stopped one
 * at once.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expectPlaced, waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import type { Kubectl } from './support/kubectl'
import { type Product, removeDataDir, startProduct } from './support/product'

test.use({ flags: ['--no-demo', '--only=apiserver'] })

const LEASE_SECONDS = 15
/** A candidate looks every 2 to 2.4 s, and this machine may be busy; less than a lease that was not released would take. */
const POLL_SECONDS = 10
/** For states that already hold and only need to be read. */
const READ_SECONDS = 30

interface LeaseList {
  items: { metadata: { name: string }; spec: { holderIdentity?: string } }[]
}

/** The holder of each loop's lease; empty without one. */
async function holders(kubectl: Kubectl): Promise<Record<string, string>> {
  const { items } = await kubectl.json<LeaseList>(['-n', 'karmada-system', 'get', 'leases'])
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.holderIdentity ?? '']))
}

/** Resolves with the one who holds all leases, which must be another than `notThis`. */
async function onlyHolder(
  kubectl: Kubectl,
  { notThis = '', seconds }: { notThis?: string; seconds: number },
): Promise<string> {
  let only = ''
  await expect
    .poll(
      async () => {
        const names = new Set(Object.values(await holders(kubectl)))
        only = names.size === 1 ? ([...names][0] ?? '') : ''
        return only !== '' && only !== notThis
      },
      { timeout: seconds * 1000, intervals: [200] },
    )
    .toBe(true)
  return only
}

/** The loops that run there. */
async function led(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  return [...text.matchAll(/^evenkeel_leader\{controller="([^"]+)"\} 1$/gm)].map(([, name = '']) => name)
}

/**
 * Polls both for the controllers that they lead: how often one led, and the controllers that two led at the same time.
 */
function watchLeaders(consoles: () => readonly Product[]): { stop(): Promise<{ looks: number; twice: string[] }> } {
  const twice = new Set<string>()
  let looks = 0
  let stopped = false
  const watching = (async () => {
    for (;;) {
      if (stopped) return { looks, twice: [...twice] }
      const [one, two] = consoles().map(({ url }) => url)
      if (one !== undefined && two !== undefined) {
        const [before, other, after] = [await led(one), await led(two), await led(one)]
        if (before.length + other.length > 0) looks += 1
        for (const name of other) if (before.includes(name) && after.includes(name)) twice.add(name)
      }
      await sleep(20)
    }
  })()
  return {
    stop: () => {
      stopped = true
      return watching
    },
  }
}

/** A request that the console waits for: its body never ends. */
async function startEndless(url: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => socket.destroy())
  socket.write(
    `POST /api/about HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  )
  return socket
}

test('each loop has one leader at a time, followed within the lease when it is killed and at once when it stops', async ({
  product,
  kubectl,
}) => {
  const launch = () => startProduct({ flags: [`--kubeconfig=${product.kubeconfig}`, '--reconcilers=all'] })
  const consoles = [await launch()]
  const everybody = [...consoles]
  const watch = watchLeaders(() => consoles)
  try {
    await kubectl.apply(member('member1'))
    const first = await onlyHolder(kubectl, { seconds: READ_SECONDS })
    consoles.push(await launch())
    everybody.push(...consoles.slice(1))
    await waitForCluster(kubectl, 'member1', true)
    expect(await onlyHolder(kubectl, { seconds: READ_SECONDS })).toBe(first)

    await test.step('killed', async () => {
      await consoles.shift()?.kill()
      const second = await onlyHolder(kubectl, { notThis: first, seconds: LEASE_SECONDS + POLL_SECONDS })
      await kubectl.apply(workload({ name: 'web', replicas: 2, placement: dynamicWeight }))
      await expectPlaced(kubectl, 'web', { member1: 2 })
      consoles.push(await launch())
      everybody.push(...consoles.slice(-1))
      expect(await onlyHolder(kubectl, { seconds: READ_SECONDS })).toBe(second)
    })

    await test.step('stopped during a request that does not end', async () => {
      const [leaving] = consoles
      const second = await onlyHolder(kubectl, { seconds: READ_SECONDS })
      const endless = await startEndless(leaving?.url ?? '')
      const gone = leaving?.stop()
      await onlyHolder(kubectl, { notThis: second, seconds: POLL_SECONDS })
      await gone
      endless.destroy()
      consoles.shift()
    })
    const { looks, twice } = await watch.stop()
    expect(twice).toEqual([])
    expect(looks).toBeGreaterThanOrEqual(5)
  } finally {
    await watch.stop()
    for (const each of everybody) {
      await each.stop()
      removeDataDir(each.dataDir)
    }
  }
})
