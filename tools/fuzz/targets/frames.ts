/** Packets of the live stream: broken engine.io and socket.io, unknown subscriptions, wrong digests. */
import type { Rng } from '@/lib/std/rng'
import { breakText, chance, mutate, nested, oddities, pick } from '../broken/mutate'
import type { FramesStep } from '../steps'
import type { Oracle, Target } from '../target'
import { nativeKeys, size, times, word } from '../text'

/** A client that does nothing wrong is still served. */
const stillServed: Oracle = {
  name: 'stream',
  begin: async (subject) => async () => {
    const { status, body } = await subject.send({
      do: 'frames',
      packets: ['40', '42["subscribe",{"topic":"workloads"}]'],
      until: '"frames"',
    })
    return status === 101 && body.includes('"frames"')
      ? []
      : [`a sound subscription is not answered: ${body.slice(0, 300)}`]
  },
}

export const frames: Target = {
  name: 'frames',
  oracles: [stillServed],
  generate: (rng, name) => ({
    name,
    steps: times(1 + rng.below(3), (): FramesStep => ({
      do: 'frames',
      packets: [
        ...(chance(rng, 0.9) ? ['40'] : []),
        ...times(1 + rng.below(chance(rng, 0.05) ? 400 : 12), () => packet(rng)).flat(),
      ],
    })),
  }),
}

type Packet = FramesStep['packets'][number]

const topics = [
  'workloads',
  'clusters',
  'failover',
  'failover-now',
  'queues',
  'activity',
  'summary',
  'rebalancers',
  'plans',
  'spreads',
  'workload/ResourceBinding/default/x',
  'workload/x',
  'workload/',
  'queue/default/x',
  'rebalancer/x',
  'rebalancer/',
  'plan/x',
  'plan/',
  'queue/../x',
  'workload/ResourceBinding/hidden-from-tenants/hidden-from-tenants-deployment',
  'queue/hidden-from-tenants/x',
  ...nativeKeys,
]

function packet(rng: Rng): Packet[] {
  if (chance(rng, 0.1)) return [noise(rng)]
  if (chance(rng, 0.15)) return digest(rng)
  const message = [
    'subscribe',
    'unsubscribe',
    'digest',
    'frames',
    'disconnect',
    'connect',
    'error',
    'newListener',
    ...nativeKeys,
  ]
  const name = chance(rng, 0.7) ? 'subscribe' : pick(rng, message)
  const body = {
    topic: chance(rng, 0.8) ? pick(rng, topics) : word(rng).repeat(size(rng, 500)),
    ...(chance(rng, 0.4) && { since: since(rng) }),
  }
  const args = chance(rng, 0.3) ? mutate(rng, [name, body]) : [name, body]
  const text = `42${chance(rng, 0.1) ? rng.below(99) : ''}${JSON.stringify(args)}`
  return [chance(rng, 0.15) ? breakText(rng, text) : text]
}

const since = (rng: Rng): unknown => ({
  epoch: pick(rng, ['x', '', ...nativeKeys, 'e'.repeat(99)]),
  revision: pick(rng, [0, 1, -1, 2 ** 53, 1e308, 1.5, '1', null]),
})

function digest(rng: Rng): Packet[] {
  const message = {
    topic: pick(rng, topics),
    since: since(rng),
    of: pick(rng, [1, 16, 4096, 1e9, 0, -1]),
    hashes: { _placeholder: true, num: pick(rng, [0, 1, -1, '__proto__', 0.5]) },
  }
  return [`45${pick(rng, ['1', '1', '2', '0', '99999'])}-${JSON.stringify(['digest', message])}`, bytes(rng)]
}

const bytes = (rng: Rng): Packet => ({
  base64: Buffer.from(times(size(rng, 40_000), () => rng.below(256))).toString('base64'),
})

function noise(rng: Rng): Packet {
  return pick(rng, [
    bytes(rng),
    String(rng.below(10)),
    `4${rng.below(10)}`,
    '41',
    '2probe',
    '6',
    '42[]',
    '42',
    '42["subscribe"]',
    '43[]',
    '46',
    `42${nested(rng)}`,
    `40/other,{}`,
    `40{"token":"x"}`,
    '42/other,["subscribe",{}]',
    '4'.repeat(size(rng, 10_000)),
    `42["subscribe",${JSON.stringify(pick(rng, oddities))}]`,
    `42["subscribe",{"topic":"${'x'.repeat(size(rng, 200_000))}"}]`,
    '\u0000',
    '\u001e42["x"]',
    '451-["x",{"_placeholder":true,"num":0}]',
  ])
}
