/** The file format of a copied federation. */
import { z } from 'zod'
import type { UnknownObject } from '@/lib/kube/object'

export const EXPORT_API_VERSION = 'evenkeel.io/v1alpha1'
export const EXPORT_KIND = 'FederationExport'

/** Why objects of a kind are missing or differ in an export or in a twin. */
export const OMISSIONS = [
  'Forbidden',
  'OtherNamespaces',
  'NotServed',
  'OtherVersion',
  'TooLarge',
  'Secret',
  'ReadLater',
  'Deleting',
  'TemplateMissing',
  'NotServedHere',
  'Invalid',
  'FieldsDropped',
  'PullMode',
  'NodesMerged',
  'PodsLimited',
  'SummaryDiffers',
  'NoSummary',
] as const

/** Names are examples; `count` is complete. */
const omission = z.strictObject({
  reason: z.enum(OMISSIONS),
  /** A kind, or `apiVersion/kind` for an unknown one. */
  kind: z.string().max(512),
  count: z.int().min(0),
  names: z.array(z.string().max(512)).max(20),
  /** For `Invalid` the first rejection, for `FieldsDropped` paths, for `OtherVersion` the served versions. */
  detail: z.string().max(2000).optional(),
})

const copiedObject = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional(), uid: z.string().optional() }),
})

const header = z.looseObject({ apiVersion: z.string(), kind: z.string() })

export const twinExport = z.strictObject({
  apiVersion: z.literal(EXPORT_API_VERSION),
  kind: z.literal(EXPORT_KIND),
  metadata: z.strictObject({
    /** Address of the source, or a hash of it. */
    source: z.string().min(1).max(512),
    takenAt: z.iso.datetime(),
    anonymised: z.boolean(),
    /** Version of the API server, if it reported one. */
    version: z.string().max(128).optional(),
    /** Revision at which the source was read; absent if it could not be read at a single revision. */
    resourceVersion: z.string().max(128).optional(),
    /** Number of objects, so that a truncated file is detected. */
    objects: z.int().min(0),
  }),
  omissions: z.array(omission).max(10_000),
  objects: z.array(copiedObject),
})

export type Omission = z.infer<typeof omission>
export type OmissionReason = Omission['reason']

/** A copied federation. */
export type TwinExport = Omit<z.infer<typeof twinExport>, 'objects'> & { objects: UnknownObject[] }

/** Why a value is not an export that this version supports. */
export type ExportFault =
  | { fault: 'NotAnExport' }
  | { fault: 'OtherVersion'; apiVersion: string }
  | { fault: 'Incomplete'; expected: number; found: number }
  | { fault: 'Invalid'; path: string; why: string }
  | { fault: 'HostileKey'; key: string }

/** No Kubernetes object has a field of this name; merging one carelessly would replace a prototype. */
const HOSTILE = '__proto__'

/** Parses an export from a JSON value. */
export function parseExport(value: unknown): { export: TwinExport } | ExportFault {
  const head = header.safeParse(value)
  if (!head.success || head.data.kind !== EXPORT_KIND) return { fault: 'NotAnExport' }
  const { apiVersion } = head.data
  if (apiVersion !== EXPORT_API_VERSION) return { fault: 'OtherVersion', apiVersion: apiVersion.slice(0, 128) }
  if (hasHostileKey(value)) return { fault: 'HostileKey', key: HOSTILE }
  const parsed = twinExport.safeParse(value)
  if (!parsed.success) {
    const { path = [], message: why = '' } = parsed.error.issues[0] ?? {}
    return { fault: 'Invalid', path: path.join('.').slice(0, 256), why }
  }
  const found = parsed.data.objects.length
  const expected = parsed.data.metadata.objects
  if (found !== expected) return { fault: 'Incomplete', expected, found }
  return { export: parsed.data as unknown as TwinExport }
}

function hasHostileKey(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Object.hasOwn(one, HOSTILE)) return true
    for (const child of Object.values(one)) if (typeof child === 'object') open.push(child)
  }
  return false
}
