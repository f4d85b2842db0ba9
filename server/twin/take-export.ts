/** Takes an export from the control plane of a kubeconfig. */
import { createHmac, randomBytes } from 'node:crypto'
import { anonymise, type Hash, type TwinExport } from '@/lib/domain/twin'
import { message } from '@/lib/messages/message'
import type { EpochMs } from '@/lib/std/clock'
import { createHttpTransport } from '@/server/kube/http-transport'
import { connectionOf } from '@/server/kube/kubeconfig'
import type { ProxyEnvironment } from '@/server/kube/proxy'
import { readFederation } from './read-federation'
import { TwinError } from './twin-error'

export interface ExportRequest {
  kubeconfig: string
  context?: string | undefined
  proxies: ProxyEnvironment
  anonymise?: boolean
  now: EpochMs
}

/** Rejects with a TwinError. */
export async function takeExport({ now, anonymise: isAnonymous, ...from }: ExportRequest): Promise<TwinExport> {
  const connection = await connectionTo(from)
  const transport = createHttpTransport(connection)
  try {
    const { export: whole } = await readFederation(transport, { source: connection.url, now })
    return isAnonymous ? anonymise(whole, randomHash()) : whole
  } finally {
    await transport.close()
  }
}

async function connectionTo({
  kubeconfig,
  context,
  proxies,
}: Pick<ExportRequest, 'kubeconfig' | 'context' | 'proxies'>) {
  try {
    return await connectionOf({ kubeconfig, proxies, ...(context !== undefined && { context }) })
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new TwinError(message('twin.error.notRead', { error: text }), error)
  }
}

/** Enough that two names of one federation never meet. */
const DIGITS = 12

/** With a new key for each export, so that hashing guesses does not reveal a name. */
export function randomHash(key: Buffer = randomBytes(32)): Hash {
  const known = new Map<string, string>()
  return (name) => {
    const hash = known.get(name) ?? `n${createHmac('sha256', key).update(name).digest('hex').slice(0, DIGITS)}`
    known.set(name, hash)
    return hash
  }
}
