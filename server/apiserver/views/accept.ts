/** Which form of an object a client accepts. */
import { type KubeError, kubeError } from '@/lib/kube/errors'

export type Form = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

export interface Accepted {
  form: Form
  /** `v1` or `v1beta1` of meta.k8s.io. */
  version: string
}

const OBJECT: Accepted = { form: 'object', version: 'v1' }
const FORMS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
const TYPES = new Set(['application/json', 'application/yaml', '*/*', 'application/*'])
const KNOWN_LIMIT = 200

/** Clients send the same few headers over and over. */
const known = new Map<string, Accepted>()

/** The first form of an Accept header that this server has. Throws 406 when there is none. */
export function accepted(header: string | undefined, custom: boolean): Accepted {
  if (header === undefined || header === '') return OBJECT
  const remembered = known.get(header)
  if (remembered) return remembered
  const form = read(header, custom)
  if (known.size < KNOWN_LIMIT) known.set(header, form)
  return form
}

function read(header: string, custom: boolean): Accepted {
  let asked = custom
  for (const part of header.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (!TYPES.has(type)) continue
    const { as, g, v = 'v1' } = Object.fromEntries(parameters.map((text) => text.split('=')))
    if (as === undefined && type !== 'application/*') return OBJECT
    asked ||= as !== undefined
    if (as !== undefined && FORMS.has(as) && g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      return { form: as as Form, version: v }
    }
  }
  throw asked ? notAcceptable() : notRepresentable()
}

const MEDIA = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** No such transformation. */
export function notAcceptable(): KubeError {
  return kubeError(406, 'NotAcceptable', `only the following media types are accepted: ${MEDIA}`)
}

function notRepresentable(): KubeError {
  return kubeError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${MEDIA}`, {})
}
