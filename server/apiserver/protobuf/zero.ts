/** The zero object of a built-in kind as Go writes it: structs, and the fields that JSON has also when they are empty. */
import { ownField } from '@/lib/std/fields'
import { type Field, messageNamed, messageOf, type MessageType } from './table'

/** Fields that are written although they are pointers, and raw values. */
const WRITTEN: Readonly<Record<string, unknown>> = {
  'apps/v1/ControllerRevision data': null,
  'apps/v1/DaemonSetSpec selector': null,
  'apps/v1/DeploymentSpec replicas': 0,
  'apps/v1/DeploymentSpec selector': null,
  'apps/v1/ReplicaSetSpec replicas': 0,
  'apps/v1/ReplicaSetSpec selector': null,
  'apps/v1/StatefulSetSpec replicas': 0,
  'apps/v1/StatefulSetSpec selector': null,
  'certificates.k8s.io/v1/CertificateSigningRequestSpec request': null,
}

const ZEROS: Readonly<Record<string, unknown>> = { s: '', i: 0, d: 0, b: false, q: '0' }

/** Its fields beside the metadata; none for a kind without a message. */
export function zeroFields(apiVersion: string, kind: string): Readonly<Record<string, unknown>> {
  const message = messageOf(apiVersion, kind)
  if (!message) return {}
  const { metadata: _, ...fields } = zeroOf(message)
  return fields
}

function zeroOf(message: MessageType): Record<string, unknown> {
  return Object.fromEntries(
    message.fields.flatMap((field): [string, unknown][] => {
      const value = zeroValue(message, field)
      if (value === undefined) return []
      return field.name === '=' ? Object.entries(value as object) : [[field.name, value]]
    }),
  )
}

/** Undefined for a field that is left out. */
function zeroValue(message: MessageType, { name, type, many, pointer, keepsZero }: Field): unknown {
  const written = ownField(WRITTEN, `${message.name} ${name}`)
  if (pointer || written !== undefined) return written
  if (many !== 'one') return keepsZero ? null : undefined
  if (message.name === 'meta.k8s.io/v1/ObjectMeta') return undefined
  if (type === 't' || type === 'm') return null
  const inner = messageNamed(type)
  if (inner) return zeroOf(inner)
  return keepsZero ? ownField(ZEROS, type) : undefined
}
