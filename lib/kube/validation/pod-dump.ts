/** Specs written out as the server holds them inside, and how two of them differ: the words of a refused update. */
import type { LabelSelector, PodSpec, PodTemplate } from '../kinds'
import { emptyOrNull } from '../go-encoding'
import { sortedMap } from '../go-text'
import { unifiedDiff } from './line-diff'
import structs from './pod-structs.json' with { type: 'json' }

/**
 * The fields of each struct in their order, as `Name kind`, or `Name:field kind` where the API calls it otherwise: `t` text,
 * `f` flag, `n` number, `q` amount, `p` a pointer, a list or a map that may be missing, `m` a map with sorted keys,
 * `l` a selector of labels, or the
 * name of a struct behind a pointer; `[]` before it is a list, `=` a struct that is always there, `e` one whose fields stand
 * beside the others. `^` reads the field from the spec itself, where the API has it.
 */
const STRUCTS: Readonly<Record<string, string>> = structs

type Fields = Readonly<Record<string, unknown>>

function dump(value: Fields, struct: string, spec: Fields): Fields {
  const fields = (STRUCTS[struct] ?? '').split(',').map((field) => field.split(' ') as [string, string])
  const written = fields.flatMap(([names, kind]): [string, unknown][] => {
    const [name = '', field = jsonName(name)] = names.split(':')
    if (kind === 'e') return Object.entries((value['metadata'] ?? {}) as Fields)
    const from = kind.startsWith('^') ? spec : value
    const own = from[field] ?? emptyOrNull(from, field) ?? undefined
    return [[name, dumpField(own, kind.replace('^', ''), spec)]]
  })
  return Object.fromEntries(written)
}

function dumpField(value: unknown, kind: string, spec: Fields): unknown {
  if (kind.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => dump(item as Fields, kind.slice(2), spec)) : null
  }
  switch (kind) {
    case 't':
      return value ?? ''
    case 'f':
      return value ?? false
    case 'n':
      return value ?? 0
    case 'q':
      return value ?? '0'
    case 'p':
      return value ?? null
    case 'l':
      return writtenSelector(value as LabelSelector | undefined) ?? null
    case 'm':
      return sortedMap(value) ?? null
  }
  if (kind.startsWith('=')) return dump((value ?? {}) as Fields, kind.slice(1), spec)
  return value === undefined ? null : dump(value as Fields, kind, spec)
}

/** A selector as Go writes it: with sorted labels, and all that its expressions cannot do without. */
export function writtenSelector(selector: LabelSelector | undefined): object | undefined {
  const { matchLabels, matchExpressions: expressions } = selector ?? {}
  return (
    selector && {
      ...selector,
      ...(matchLabels && { matchLabels: sortedMap(matchLabels) }),
      ...(expressions && {
        matchExpressions: expressions.map(({ key, operator, ...rest }) => ({
          key: key ?? '',
          operator: operator ?? '',
          ...rest,
        })),
      }),
    }
  )
}

/** `NodeName` is `nodeName`, `DNSPolicy` is `dnsPolicy`, `TTY` is `tty`. */
function jsonName(name: string): string {
  if (name === 'HTTPGet') return 'httpGet'
  if (name === 'CephFS' || name === 'StorageOS') return name.toLowerCase()
  if (name.startsWith('SELinux')) return `seLinux${name.slice('SELinux'.length)}`
  const [capitals = ''] = /^[A-Z]+/.exec(name) ?? []
  const lowered = capitals.length > 1 && capitals.length < name.length ? capitals.length - 1 : capitals.length
  return name.slice(0, lowered).toLowerCase() + name.slice(lowered)
}

/** A part of a spec written out as the server holds it inside. */
export const dumped = (struct: Dumped, value: Fields): Fields => dump(value, struct, value)

type Dumped =
  | 'NodeSelectorTerm'
  | 'PodFailurePolicy'
  | 'PodResourceClaim'
  | 'PodSpec'
  | 'ScopeSelector'
  | 'SecurityContext'
  | 'SuccessPolicy'
  | 'VolumeNodeAffinity'

/** A template written out as the server holds it inside. */
export function dumpedTemplate({ metadata, spec }: PodTemplate): Fields {
  return { ...metadata, Spec: dump(spec, 'PodSpec', spec) }
}

/** The lines that differ, each with three lines around, as a unified diff without its head. */
export function podSpecDifference(old: PodSpec, next: PodSpec): string {
  return structDifference('PodSpec', old, next)
}

/** The same of two structs of one type. */
export function structDifference(
  struct: 'PodSpec' | 'PersistentVolumeClaimSpec' | 'PersistentVolumeSource',
  old: Fields,
  next: Fields,
): string {
  const lines = (spec: Fields): string[] => JSON.stringify(dump(spec, struct, spec), null, 1).split('\n')
  return unifiedDiff(lines(old), lines(next))
}
