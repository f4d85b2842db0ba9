/** Several consoles against one control plane, with one Redis, behind one address. */
import { redisInstalled, RedisServer } from '@/server/testing/redis-server'
import { type Product, removeDataDir, startProduct } from './product'
import { type RoundRobin, startRoundRobin } from './round-robin'

export interface Instances {
  /** The address behind which all of them are. */
  url: string
  /** The address of one instance. */
  urlOf(index: number): string
  redis: RedisServer
  /** From now on new connections go to this one only, or, without a number, to all again. */
  only(index?: number): void
  /** `kill -9`; connections go to the others from now on. */
  kill(index: number): Promise<void>
  /** SIGTERM, as a roll-out does it: no new connections first, then the end. */
  stop(index: number): Promise<void>
  /** Brings one back that was killed or stopped. */
  start(index: number): Promise<void>
  /** The output of one instance, over all its restarts. */
  output(index: number): string
  close(): Promise<void>
}

export interface InstancesOptions {
  kubeconfig: string
  count?: number
  flags?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export const NO_REDIS = redisInstalled ? undefined : 'redis-server is not on the PATH'

/** Resolves when all are ready. */
export async function startInstances({
  kubeconfig,
  count = 2,
  flags = [],
  env = {},
}: InstancesOptions): Promise<Instances> {
  const redis = await new RedisServer().start()
  const proxy = await startRoundRobin()
  const lives: { product: Product; up: boolean; before: string }[] = []
  const launch = () =>
    startProduct({ flags: [`--kubeconfig=${kubeconfig}`, ...flags], env: { EVENKEEL_REDIS_URL: redis.url, ...env } })
  const show = (): void => proxy.use(lives.filter(({ up }) => up).map(({ product }) => product.url))
  for (let index = 0; index < count; index += 1) lives.push({ product: await launch(), up: true, before: '' })
  show()
  const life = (index: number) => lives[index] ?? fail(index)
  const leave = async (index: number, how: 'kill' | 'stop'): Promise<void> => {
    life(index).up = false
    show()
    await life(index).product[how]()
  }
  return {
    url: proxy.url,
    urlOf: (index) => life(index).product.url,
    redis,
    only: (index) => (index === undefined ? show() : proxy.use([life(index).product.url])),
    kill: (index) => leave(index, 'kill'),
    stop: (index) => leave(index, 'stop'),
    start: async (index) => {
      const { product, before } = life(index)
      removeDataDir(product.dataDir)
      lives[index] = { product: await launch(), up: true, before: before + product.output() }
      show()
    },
    output: (index) => life(index).before + life(index).product.output(),
    close: () =>
      closeAll(
        lives.map(({ product }) => product),
        { proxy, redis },
      ),
  }
}

async function closeAll(
  products: readonly Product[],
  { proxy, redis }: { proxy: RoundRobin; redis: RedisServer },
): Promise<void> {
  await Promise.all(products.map((product) => product.stop()))
  for (const { dataDir } of products) removeDataDir(dataDir)
  await proxy.close()
  await redis.remove()
}

function fail(index: number): never {
  throw new Error(`there is no instance ${index}`)
}
