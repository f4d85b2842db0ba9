/** Reads the arguments of Karmada's components where they run, as the API of the control plane does not show them. */
import type { KubeError } from '@/lib/kube/errors'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { reviewOwnIdentity } from '@/server/bff/auth/reviews'
import { connectionFault } from '@/server/bff/cache/connection-faults'
import type { Config } from '@/server/config/config'
import { ConfigError } from '@/server/config/config-error'
import { type KarmadaFlags, readKarmadaFlags, textOfArguments } from '@/server/config/karmada-flags'
import { errorOfAnswer } from '@/server/kube/answers'
import { connectionOf } from '@/server/kube/kubeconfig'
import type { KubeClient } from '@/server/kube/client'
import { createRestClient } from '@/server/kube/rest-client'
import type { Logger } from '@/server/runtime/controller'

const COMPONENTS = ['karmada-controller-manager', 'karmada-scheduler'] as const
/** A host cluster that does not answer must not keep the console from starting. */
const TIMEOUT_MS = 10_000

const UNREAD = 'cannot read the arguments of Karmada in its host cluster'

type HostFlagsConfig = Pick<Config, 'karmadaFlags' | 'karmadaHost' | 'proxies'>

/**
 * Returns the flags from `--karmada-flags`, else from the Deployments of the host cluster. Never rejects: a fault is
 * logged.
 */
export async function karmadaFlagsOf(config: HostFlagsConfig, log: Logger): Promise<KarmadaFlags | undefined> {
  const { karmadaFlags, karmadaHost, proxies } = config
  if (karmadaFlags || !karmadaHost) return karmadaFlags
  const { kubeconfig, namespace } = karmadaHost
  try {
    const client = createRestClient(await connectionOf({ kubeconfig, proxies }))
    try {
      const path = `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments`
      const answer = await client.raw('GET', path, undefined, AbortSignal.timeout(TIMEOUT_MS))
      if (answer.status === 403)
        return void (await reportRefusal(errorOfAnswer(403, answer.body), { client, namespace, log }))
      if (answer.status >= 400) throw errorOfAnswer(answer.status, answer.body)
      return flagsIn(answer.body, { namespace, log })
    } finally {
      await client.close()
    }
  } catch (error) {
    const { cause, advice } = connectionFault(error)
    const help = error instanceof ConfigError ? english.of(error.detail) : english.of(advice)
    log.warn({ namespace, cause, advice: help }, UNREAD)
    return undefined
  }
}

interface Refused {
  client: KubeClient
  namespace: string
  log: Logger
}

/** Names who lacks which right: the kubeconfig of the host cluster usually has another user than the control plane's. */
async function reportRefusal({ message: cause }: KubeError, { client, namespace, log }: Refused): Promise<void> {
  const user = await reviewOwnIdentity(client).then(
    (identity) => identity?.user,
    () => undefined,
  )
  const advice = user
    ? message('server.advice.hostUserLacks', { user, namespace })
    : message('server.advice.hostLacks', { namespace })
  log.warn({ namespace, cause, ...(user && { user }), advice: english.of(advice) }, UNREAD)
}

interface Container {
  command?: string[]
  args?: string[]
}
interface Deployments {
  items?: { spec?: { template?: { spec?: { containers?: Container[] } } } }[]
}

function flagsIn(body: unknown, { namespace, log }: { namespace: string; log: Logger }): KarmadaFlags | undefined {
  const containers = ((body as Deployments).items ?? []).flatMap(({ spec }) => spec?.template?.spec?.containers ?? [])
  const found = COMPONENTS.map((component) => containers.find((container) => componentOf(container) === component))
  const missing = COMPONENTS.filter((_, index) => found[index] === undefined)
  if (missing.length > 0)
    log.warn({ namespace, missing }, 'Karmada components are not in this namespace of the host cluster')
  if (found[0] === undefined) return undefined
  // Without any argument that counts, Karmada's defaults hold.
  const [controllers, scheduler] = found.map((container) => `--v=0 ${textOfArguments(argumentsOf(container))}`)
  const flags = readKarmadaFlags(controllers, scheduler)
  log.info({ namespace, ...flags }, 'read the arguments of Karmada in its host cluster')
  return flags
}

const argumentsOf = ({ command = [], args = [] }: Container = {}): string[] => [...command, ...args]

/** The program of a container, by the last part of its path. */
const componentOf = (container: Container): string | undefined => argumentsOf(container)[0]?.split('/').at(-1)
