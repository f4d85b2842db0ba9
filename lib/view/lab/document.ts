/** The YAML text of a policy: parsing, and edits of single fields that preserve the rest of the text. */
import { isFields } from '@/lib/std/fields'
import { parseDocument } from 'yaml'
import { checkPlacement } from '@/lib/kube/admission/check-placement'
import { completePlacement } from '@/lib/kube/admission/complete-placement'
import { validatePlacement } from '@/lib/kube/admission/validate-placement'
import { textOfFindings } from '@/lib/kube/field-error'
import type { Placement } from '@/lib/kube/kinds/placement'
import { type PropagationSpec, propagationSpec } from '@/lib/kube/kinds/propagation-spec'
import { applyDefaults } from '@/lib/kube/schema-default'
import { pruneUnknown } from '@/lib/kube/schema-prune'
import { validateSchema } from '@/lib/kube/schema-validate'
import { readDocument, writeDocument } from '@/lib/kube/yaml-document'
import { message, type Message } from '@/lib/messages/message'

/** A policy as in the document. */
export interface PolicyManifest {
  apiVersion: string
  kind: string
  metadata: Record<string, unknown> & { name: string; namespace?: string; generation?: number }
  spec: PropagationSpec
}

export type ReadPolicy =
  | { ok: true; manifest: PolicyManifest; placement: Placement; lazy: boolean }
  | { ok: false; problem: Message; line?: number }

/** Set by the API server; not shown in the editor. */
const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'finalizers',
  'selfLink',
])

const FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec'])

/** Returns the document of a policy without fields that the API server sets. */
export function editableText({ apiVersion, kind, metadata, spec }: PolicyManifest): string {
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !SYSTEM_FIELDS.has(name)))
  return writeDocument({ apiVersion, kind, metadata: kept, spec })
}

/** Returns the edited document with the fields that `editableText` removed. */
export function withSystemFields(manifest: PolicyManifest, original: PolicyManifest | undefined): PolicyManifest {
  const system = Object.entries(original?.metadata ?? {}).filter(([name]) => SYSTEM_FIELDS.has(name))
  return { ...manifest, metadata: { ...manifest.metadata, ...Object.fromEntries(system) } }
}

/** Parses a document as the API server would: validated by the schema, with defaults. Never throws. */
export function readPolicy(text: string): ReadPolicy {
  const read = readDocument(text, '1.2')
  if ('refused' in read)
    return {
      ok: false,
      problem: message('policies.yaml.syntax', { error: firstLine(read.refused) }),
      ...lineIn(read.refused),
    }
  if (!isPolicy(read.value)) return { ok: false, problem: message('policies.yaml.notPolicy') }
  const manifest = read.value
  const stray = Object.keys(manifest).find((name) => !FIELDS.has(name))
  if (stray !== undefined) return invalid(text, stray, message('policies.yaml.unknownField', { field: stray }))
  const unknown = pruneUnknown(manifest.spec, propagationSpec).unknownFields[0]
  if (unknown !== undefined)
    return invalid(text, `spec.${unknown}`, message('policies.yaml.unknownField', { field: `spec.${unknown}` }))
  const [finding] = validateSchema(manifest.spec, propagationSpec, 'spec')
  if (finding)
    return invalid(
      text,
      finding.field,
      message('policies.yaml.invalid', { error: `${finding.field}: ${finding.message}` }),
    )
  const spec = applyDefaults(manifest.spec, propagationSpec)
  const placement = completePlacement(spec.placement ?? {})
  const error = textOfFindings(validatePlacement(placement, 'spec.placement'))
  if (error !== undefined) return { ok: false, problem: message('policies.yaml.invalid', { error }) }
  return { ok: true, manifest: { ...manifest, spec }, placement, lazy: spec.activationPreference === 'Lazy' }
}

/** Parses the text of a placement. Never throws. */
export function readPlacement(text: string): { placement: Placement } | { error: string } {
  const read = readDocument(text, '1.2')
  return 'refused' in read ? { error: firstLine(read.refused) } : checkPlacement(read.value ?? {})
}

/** Returns a placement as text. */
export const placementText = (placement: Placement): string => writeDocument(placement)

/** Sets the value at a path; undefined removes the field and parents that become empty. */
export function withField(text: string, path: readonly string[], value: unknown): string {
  const document = parseDocument(text)
  if (value === undefined) {
    document.deleteIn(path)
    for (let depth = path.length - 1; depth > KEPT_DEPTH; depth -= 1) {
      const parent = path.slice(0, depth)
      const left = document.getIn(parent) as { items?: unknown[] } | undefined
      if (left?.items?.length === 0) document.deleteIn(parent)
    }
  } else document.setIn(path, document.createNode(value))
  return document.toString({ lineWidth: 0, indentSeq: false })
}

/** `spec.placement` is kept even if it is empty. */
const KEPT_DEPTH = 2

function isPolicy(value: unknown): value is PolicyManifest {
  if (!isFields(value) || !isFields(value['spec']) || !isFields(value['metadata'])) return false
  return typeof value['metadata']['name'] === 'string'
}

const firstLine = (error: string): string => error.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? error

function lineIn(error: string): { line?: number } {
  const line = / at line (\d+)/.exec(error)?.[1]
  return line === undefined ? {} : { line: Number(line) }
}

function invalid(text: string, field: string, problem: Message): ReadPolicy {
  const line = lineOf(text, field)
  return { ok: false, problem, ...(line !== undefined && { line }) }
}

/** Returns the line of a field such as `spec.placement.spreadConstraints[0].minGroups`. */
function lineOf(text: string, field: string): number | undefined {
  const path = field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const node = parseDocument(text).getIn(path, true) as { range?: [number, number, number] } | undefined
  const at = node?.range?.[0]
  return at === undefined ? undefined : text.slice(0, at).split('\n').length
}
