/** Which form of an object a client accepts. */
import { KubeError, kubeError } from '@/lib/kube/errors'

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
export const YAML = 'application/yaml'
const FORMS = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'])
const TYPES = new Set(['application/json', YAML, '*/*', 'application/*', PROTOBUF])
const KNOWN_LIMIT = 200

/** Clients send the same few headers over and over. */
const known = new Map<string, Accepted>()
const knownOfCustom = new Map<string, Accepted>()

/** What the answer is about. */
interface Asked {
  custom: boolean
  isList?: boolean
}

/** The first form of an Accept header that this server has. Throws 406 when there is none; a list may be streamed too. */
export function accepted(header: string | undefined, { custom, isList = false }: Asked): Accepted {
  if (header === undefined || header === '') return OBJECT
  const memory = custom ? knownOfCustom : known
  const remembered = memory.get(header)
  if (remembered) return remembered
  const form = read(header, { custom, isList })
  if (memory.size < KNOWN_LIMIT) memory.set(header, form)
  return form
}

function read(header: string, { custom, isList }: Required<Asked>): Accepted {
  let asked = custom
  for (const [type, ...parameters] of mostWanted(header)) {
    if (!TYPES.has(type)) continue
    const { as, g, v = 'v1' } = Object.fromEntries(parameters.map((text) => text.split('=')))
    const protobuf = type === PROTOBUF
    // Custom kinds have no messages, and neither have tables.
    if (protobuf && (as === undefined ? custom : as === 'Table')) continue
    // Built-in kinds are routed by their types before that.
    if (as === undefined && (custom || type !== 'application/*')) return protobuf ? { ...OBJECT, protobuf } : OBJECT
    asked ||= as !== undefined
    if (as !== undefined && FORMS.has(as) && g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      return { form: as as Form, protobuf, version: v }
    }
  }
  throw asked ? notAcceptable() : notRepresentable(isList ? `${MEDIA}, ${STREAMS}` : MEDIA)
}

const STREAMS = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
const MEDIA = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** The media types of a header with their parameters, in the order in which the client wants them. */
function mostWanted(header: string): [type: string, ...parameters: string[]][] {
  const parts = header
    .split(',')
    .map((part): [string, ...string[]] => part.split(';').map((text) => text.trim()) as [string, ...string[]])
  if (parts.length === 1) return parts
  const quality = ([, ...parameters]: readonly string[]): number =>
    Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
  return parts.toSorted((a, b) => quality(b) - quality(a))
}

const preferences = new Map<string, string>()

/** The media type of an answer about no kind in particular, such as a Status. */
export function preferredType(header: string | undefined): string {
  if (header === undefined || header === '') return 'application/json'
  const remembered = preferences.get(header)
  if (remembered !== undefined) return remembered
  const [first = ''] = mostWanted(header).find(([type]) => TYPES.has(type)) ?? []
  const preferred = first === PROTOBUF || first === YAML ? first : 'application/json'
  if (preferences.size < KNOWN_LIMIT) preferences.set(header, preferred)
  return preferred
}

/** No such transformation. */
export function notAcceptable(): KubeError {
  return kubeError(406, 'NotAcceptable', `only the following media types are accepted: ${MEDIA}`)
}

/** A watch in a form that cannot be sent piece by piece. */
export function notStreamable(): KubeError {
  return kubeError(406, 'NotAcceptable', `only the following media types are accepted: ${STREAMS}`)
}

/** The transformation is not one of this object. */
export function unsuitedForm(message: string): KubeError {
  return kubeError(406, 'NotAcceptable', message)
}

function notRepresentable(media: string): KubeError {
  return kubeError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${media}`, {})
}

/** Refuses (406) a document to a client that does not accept its one type, whatever the parameters of that type. */
export function refuseUnlessAccepts(header: string | undefined, type: string): void {
  if (!header || mostWanted(header).some(([wanted]) => wanted === '*/*' || wanted === type)) return
  throw notRepresentable(type)
}

/** Refuses (406) a text to a client that accepts neither it nor an object. */
export function refuseUnlessReadsText(header: string | undefined): void {
  if (acceptsObjects(header) || mostWanted(header ?? '').some(([type]) => type === TEXT)) return
  throw notRepresentable(`${TEXT}, ${MEDIA}`)
}

/** False for a client that can read no refusal. */
export function acceptsObjects(header: string | undefined): boolean {
  return !header || mostWanted(header).some(([type]) => TYPES.has(type))
}

const TEXT = 'text/plain'

/** True for a request whose route asks for other types than it names: it does not get as far as its kind. */
export function isUnrouted(error: unknown): boolean {
  return error instanceof KubeError && /^4(06: Not Acceptable|15: Unsupported Media Type)/.test(error.message)
}

/** Refuses (406) a document of discovery in any other form than its own. `routed` ones judge the types before the forms. */
export function refuseOtherForms(header: string | undefined, { routed }: { routed: boolean }): void {
  if (!header) return
  const wanted = mostWanted(header).filter(([type]) => TYPES.has(type))
  if (wanted.some(([, ...parameters]) => !parameters.some((text) => text.startsWith('as=')))) return
  throw routed && wanted.length === 0 ? notRepresentable(MEDIA) : notAcceptable()
}
