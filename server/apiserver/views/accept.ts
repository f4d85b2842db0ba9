/** Which form of an object a client accepts. */
import { type KubeError, kubeError } from '@/lib/kube/errors'

export type Form = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

export interface Accepted {
  form: Form
  /** True when it is to be sent as protobuf rather than as JSON or YAML. */
  protobuf: boolean
  /** `v1` or `v1beta1` of meta.k8s.io. */
  version: string
}

const OBJECT: Accepted = { form: 'object', protobuf: false, version: 'v1' }
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const FORMS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
const TYPES = new Set(['application/json', 'application/yaml', '*/*', 'application/*', PROTOBUF])
const KNOWN_LIMIT = 200

/** Clients send the same few headers over and over. */
const known = new Map<string, Accepted>()
const knownOfCustom = new Map<string, Accepted>()

/** The first form of an Accept header that this server has. Throws 406 when there is none. */
export function accepted(header: string | undefined, custom: boolean): Accepted {
  if (header === undefined || header === '') return OBJECT
  const memory = custom ? knownOfCustom : known
  const remembered = memory.get(header)
  if (remembered) return remembered
  const form = read(header, custom)
  if (memory.size < KNOWN_LIMIT) memory.set(header, form)
  return form
}

function read(header: string, custom: boolean): Accepted {
  let asked = custom
  for (const part of header.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim())
    if (!TYPES.has(type)) continue
    const { as, g, v = 'v1' } = Object.fromEntries(parameters.map((text) => text.split('=')))
    const protobuf = type === PROTOBUF
    // Custom kinds have no messages, and neither have tables.
    if (protobuf && (as === undefined ? custom : as === 'Table')) continue
    if (as === undefined && type !== 'application/*') return protobuf ? { ...OBJECT, protobuf } : OBJECT
    asked ||= as !== undefined
    if (as !== undefined && FORMS.has(as) && g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      return { form: as as Form, protobuf, version: v }
    }
  }
  throw asked ? notAcceptable() : notRepresentable()
}

const MEDIA = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** Reports whether an answer about no kind in particular, such as a Status, is to be sent as protobuf. */
export function prefersProtobuf(header: string | undefined): boolean {
  const [first = ''] = (header ?? '').split(/[,;]/, 1)
  return first.trim() === PROTOBUF
}

/** No such transformation. */
export function notAcceptable(): KubeError {
  return kubeError(406, 'NotAcceptable', `only the following media types are accepted: ${MEDIA}`)
}

/** The transformation is not one of this object. */
export function unsuitedForm(message: string): KubeError {
  return kubeError(406, 'NotAcceptable', message)
}

function notRepresentable(): KubeError {
  return kubeError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${MEDIA}`, {})
}
