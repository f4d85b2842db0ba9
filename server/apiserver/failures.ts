/** Errors of the server, in the words of kube-apiserver. */
import { type KubeError, kubeError, type StatusCause, type StatusDetails, type StatusReason } from '@/lib/kube/errors'
import { goQuoted } from '@/lib/kube/go-text'
import { type Kind, resourceName } from '@/lib/kube/kind'

type Named = Pick<Kind, 'group' | 'plural'>

/** `deployments.apps "web"`. */
function quoted(kind: Named, name: string): string {
  return `${resourceName(kind)} ${goQuoted(name)}`
}

function detailsOf(kind: Named, name: string): StatusDetails {
  return { ...(name && { name }), ...(kind.group && { group: kind.group }), kind: kind.plural }
}

export function badRequest(message: string): KubeError {
  return kubeError(400, 'BadRequest', message)
}

export function notFound(kind: Named, name: string): KubeError {
  return kubeError(404, 'NotFound', `${quoted(kind, name)} not found`, detailsOf(kind, name))
}

/** Returns the error for an unknown path. */
export function noSuchPath(): KubeError {
  return kubeError(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function methodNotAllowed(): KubeError {
  return kubeError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
}

/** A custom kind names the verb, which is empty for a method without one. */
export function methodNotSupported(kind: Named, verb: string): KubeError {
  const what = `${verb} is not supported on resources of kind ${goQuoted(resourceName(kind))}`
  return kubeError(405, 'MethodNotAllowed', what, detailsOf(kind, ''))
}

export function alreadyExists(kind: Named, name: string, terminating: boolean): KubeError {
  const prefix = terminating ? 'object is being deleted: ' : ''
  return kubeError(409, 'AlreadyExists', `${prefix}${quoted(kind, name)} already exists`, detailsOf(kind, name))
}

/** Another client wrote in between. */
export function staleVersion(kind: Named, name: string): KubeError {
  return conflict(
    kind,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

export function conflict(kind: Named, name: string, why: string): KubeError {
  return kubeError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${quoted(kind, name)}: ${why}`,
    detailsOf(kind, name),
  )
}

export function forbidden(kind: Named, name: string, why: string, causes?: StatusCause[]): KubeError {
  return kubeError(403, 'Forbidden', `${quoted(kind, name)} is forbidden: ${why}`, {
    ...detailsOf(kind, name),
    ...(causes && { causes }),
  })
}

/** The subject of a 422: a kind by its own name, or by its plural where kube-apiserver does so. */
export interface Subject {
  group: string
  /** `Deployment`, or `deployments`. */
  word: string
  name: string
}

/** 422 with one cause per wrong field; several are listed in brackets. */
export function invalid(subject: Subject, causes: readonly StatusCause[]): KubeError {
  const { group, word, name } = subject
  const texts = causes.map((cause) => `${cause.field}: ${cause.message}`)
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const details: StatusDetails = {
    ...(name && { name }),
    ...(group && { group }),
    ...(word && { kind: word }),
    causes: [...causes],
  }
  return kubeError(
    422,
    'Invalid',
    `${group ? `${word}.${group}` : word} ${JSON.stringify(name ?? '')} is invalid: ${list}`,
    details,
  )
}

/** One wrong field of an options object. */
export function invalidOptions(
  kind: 'ListOptions' | 'DeleteOptions' | 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  causes: readonly StatusCause[],
): KubeError {
  return invalid({ group: 'meta.k8s.io', word: kind, name: '' }, causes)
}

/** The requested history was compacted. */
export function expired(message: string): KubeError {
  return kubeError(410, 'Expired', message)
}

export function unavailable(message: string): KubeError {
  return kubeError(503, 'ServiceUnavailable', message)
}

/** An object that fits into a request, but not into the store. */
export function tooLargeToStore(): KubeError {
  return kubeError(500, '', 'etcdserver: request is too large')
}

/** A resource version that the store has not reached. */
export function tooLarge(requested: number, current: number): KubeError {
  return kubeError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

export function internal(message: string, reason: StatusReason = 'InternalError'): KubeError {
  return kubeError(500, reason, message)
}

/** 404 for an object of a core kind. */
export function kindNotFound(plural: string, name: string): KubeError {
  return notFound({ group: '', plural }, name)
}

/**
 * Decodes a whole path: a slash that is encoded divides it as well. Authorization and dispatch read the same path. Throws 404
 * for a path that cannot be decoded.
 */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    throw noSuchPath()
  }
}
