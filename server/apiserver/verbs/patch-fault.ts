/** Errors of patches whose result is invalid, in the words of a typed server, which repeats the object. */
import type { UnknownObject } from '@/lib/kube/object'
import { invalidField, invalidError } from '@/lib/kube/field-error'
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import type { Ask } from '../api'
import { wrongPatch } from '../field-validation'

/**
 * The result of a JSON or merge patch as text. Patched objects have sorted fields, untouched ones keep their order.
 * Custom kinds are sorted throughout.
 */
export function patchedText(changed: unknown, current: unknown, custom: boolean): string {
  return JSON.stringify(inOrder(changed, custom ? undefined : current))
}

function inOrder(value: unknown, before: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (before !== undefined && deepEqual(value, before)) return before
  const same = (before ?? {}) as Readonly<Record<string, unknown>>
  if (Array.isArray(value)) return value.map((item, index) => inOrder(item, same[index]))
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([name, child]) => [name, inOrder(child, ownField(same, name))]))
}

/** The first value that is no text, in the words of a decoder that reads these two fields only. */
function typeMismatch(given: Readonly<Record<string, unknown>>): string {
  const field = typeof given.kind === 'string' ? 'apiVersion' : 'kind'
  const value = given[field]
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `json: cannot unmarshal ${type} into Go struct field .${field} of type string`
}

/** Refuses (422) a patch that changes the kind. What the kind of a custom object is, its decoder says. */
export function checkKind({ keyspace, resource }: Ask, changed: UnknownObject, shown: () => string): void {
  const { kind: expected, apiVersion } = resource
  const given = { kind: changed.kind || expected.kind, apiVersion: changed.apiVersion || apiVersion }
  if (typeof given.kind !== 'string' || typeof given.apiVersion !== 'string') {
    if (resource.custom) return
    throw wrongPatch(shown, `couldn't get version/kind; json parse error: ${typeMismatch(given)}`)
  }
  if (given.kind === expected.kind && given.apiVersion === apiVersion) return
  if (resource.custom)
    throw invalidError(expected, changed.metadata?.name ?? '', [
      ...(given.kind === expected.kind ? [] : [invalidField('kind', given.kind, `must be ${expected.kind}`)]),
      ...(given.apiVersion === apiVersion
        ? []
        : [invalidField('apiVersion', given.apiVersion, `must be ${apiVersion}`)]),
    ])
  const version = given.apiVersion.slice(given.apiVersion.indexOf('/') + 1)
  const family = expected.group.split('.')[0] || 'core'
  const known = keyspace.registry.ofObject(given.apiVersion, given.kind)
  throw wrongPatch(
    shown,
    known
      ? `converting (${version}.${given.kind}) to (${family}.${expected.kind}): unknown conversion`
      : `no kind "${given.kind}" is registered for version "${given.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  )
}
