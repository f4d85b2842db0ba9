/**
 * The messages of the API: which field of an object has which number and type. `fields.json` has a line for each, by
 * `apiVersion/Type`, as Kubernetes 1.36 publishes them. A type is `s` text, `i` whole number, `d` floating-point number,
 * `b` boolean, `x` bytes, `t` time, `m` time with microseconds, `n` duration, `q` quantity, `o` number or text, `j` a value
 * as JSON, `l` a list of texts in a message of its own, or the name of a message; `[]` before it is a list, `{}` a map. A
 * field named `=` holds the fields of an embedded type. `*` marks a pointer, `!` a field that JSON has also when it is zero.
 */
import { ownField } from '@/lib/std/fields'
import table from './fields.json' with { type: 'json' }

export interface Field {
  number: number
  /** Its name in JSON; `=` for the fields of an embedded type. */
  name: string
  type: string
  many: 'one' | 'list' | 'map'
  /** Zero is a value of its own and is kept. */
  keepsZero: boolean
  /** It may be missing; other fields are written also when they are empty. */
  pointer?: boolean
}

export interface MessageType {
  name: string
  /** By ascending number. */
  fields: readonly Field[]
  /** Empty fields are written too, byte by byte as a real server does. */
  whole?: boolean
  byNumber: ReadonlyMap<number, Field>
}

/** What is said about requests and about the server itself: nothing here is frequent or large. */
const WHOLE = /^meta\.k8s\.io\/v1\/(Status|API|ListMeta|GroupVersionForDiscovery|ServerAddress)/

const compiled = new Map<string, MessageType>()

/** The message of that name, or undefined. Compiled at its first use. */
export function messageNamed(name: string): MessageType | undefined {
  const known = compiled.get(name)
  if (known) return known
  const lines = ownField(table as Readonly<Record<string, Readonly<Record<string, string>>>>, name)
  if (!lines) return undefined
  const fields = Object.entries(lines).map(([number, line]) => fieldOf(Number(number), line))
  const made = {
    name,
    whole: WHOLE.test(name),
    fields,
    byNumber: new Map(fields.map((field) => [field.number, field])),
  }
  compiled.set(name, made)
  return made
}

function fieldOf(number: number, line: string): Field {
  const [name = '', notation = '', flag] = line.split(' ')
  const many = notation.startsWith('[]') ? 'list' : notation.startsWith('{}') ? 'map' : 'one'
  return {
    number,
    name,
    type: many === 'one' ? notation : notation.slice(2),
    many,
    keepsZero: flag !== undefined,
    pointer: flag === '*',
  }
}

/** Kinds that belong to no group, under whichever apiVersion they are sent. */
const EVERYWHERE = new Set([
  'Status',
  'DeleteOptions',
  'ListOptions',
  'GetOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
])

/** The message of a kind; undefined for kinds that have none, such as those of custom resources. */
export function messageOf(apiVersion: string, kind: string): MessageType | undefined {
  return messageNamed(`${EVERYWHERE.has(kind) ? 'meta.k8s.io/v1' : apiVersion}/${kind}`)
}
