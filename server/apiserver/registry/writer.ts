/** Who writes, as admission and field ownership see it. */
import type { Call, Caller } from '../call'
import { hasLargeBody } from '../long-work'

export interface Writer {
  caller: Caller
  /** The field manager of this write: `fieldManager`, else from the user agent. */
  manager: string
  /** True for Evenkeel's own controllers: their objects have no owners until an apply. */
  untracked?: true
  /** The request has a large body. */
  large?: true
  /** Options of the request, as sent to webhooks. */
  options: Readonly<Record<string, string>>
  /** Sends a warning to the writer. */
  warn(text: string): void
}

const MAX_MANAGER_LENGTH = 128
const NO_OPTIONS = {}
/** User agent of Evenkeel's controllers. */
export const OWN_CLIENT = 'evenkeel'

/** The writer behind a request. */
export function writerOf(call: Call): Writer {
  const named = call.query.get('fieldManager') ?? ''
  const manager = named || managerOf(call.headers['user-agent'] ?? '')
  return {
    caller: call.caller,
    manager,
    options: named === '' ? NO_OPTIONS : { fieldManager: named },
    ...(named === '' && manager === OWN_CLIENT && { untracked: true }),
    ...(hasLargeBody(call) && { large: true }),
    warn: (text) => call.warn(text),
  }
}

/** A product of printable ASCII letters alone, as nearly all are. */
const PLAIN_PRODUCT = /^[ -.0-~]{0,128}/

/** The product in a user agent: what can be printed of it, and no more than a manager's name may have. */
function managerOf(userAgent: string): string {
  // By far most writes come from this process.
  if (userAgent === OWN_CLIENT) return OWN_CLIENT
  const product = userAgent.split('/', 1)[0] as string
  if (PLAIN_PRODUCT.exec(product)?.[0] === product) return product
  return product.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gv, '').slice(0, MAX_MANAGER_LENGTH)
}

/** A loop of this server, known by the name that the same loop of a controller manager has. */
export function controllerWriter(name: string): Writer {
  const user = `system:serviceaccount:kube-system:${name}`
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
  const caller = { user, groups }
  return { caller, manager: 'kube-controller-manager', options: {}, untracked: true, warn: () => undefined }
}

/** The server itself. */
export const serverWriter: Writer = {
  caller: { user: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
  manager: 'kube-apiserver',
  options: {},
  untracked: true,
  warn: () => undefined,
}
