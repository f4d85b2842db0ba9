/** Who wrote what, in the order of the server: clients that record their writes, and the records as text. */
import type { Kind } from '@/lib/kube/kind'
import { keyOf, type KubeObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'

/** One write that changed something. */
export interface RecordedWrite {
  writer: string
  verb: 'create' | 'update' | 'delete'
  /** `Kind namespace/name`, with ` in <member>` for objects of members and `/status` where only that was written. */
  what: string
  /** What was written: the whole object when it was created, else the fields that changed. */
  changes: readonly string[]
}

export interface WriteRecorder {
  /** The client in the hands of a writer. */
  clientOf(writer: string, client: KubeClient): KubeClient
  /** Every write so far, in the order in which the server applied them. */
  writes(): RecordedWrite[]
}

interface Answer {
  writer: string
  verb: 'create' | 'update'
  member: string
  part: string
  object: KubeObject
}

export function createWriteRecorder(): WriteRecorder {
  const answers: Answer[] = []
  const wrap = (writer: string, member: string, client: KubeClient): KubeClient => {
    const note = async <T extends KubeObject>(verb: Answer['verb'], part: string, write: Promise<T>): Promise<T> => {
      const object = await write
      answers.push({ writer, verb, member, part, object })
      return object
    }
    return {
      get: (kind, ref) => client.get(kind, ref),
      list: (kind, options) => client.list(kind, options),
      watch: (kind, options, signal) => client.watch(kind, options, signal),
      create: (kind, object, options) => note('create', '', client.create(kind, object, options)),
      update: (kind, object, options) =>
        note('update', options?.subresource ?? '', client.update(kind, object, options)),
      patch: (kind, ref, patch, options) =>
        note('update', options?.subresource ?? '', client.patch(kind, ref, patch, options)),
      delete: (kind: Kind, ref, options) => client.delete(kind, ref, options),
      raw: (method, path, body, signal) => client.raw(method, path, body, signal),
      stream: (path, signal) => client.stream(path, signal),
      member: (name) => wrap(writer, name, client.member(name)),
      as: (identity) => wrap(writer, member, client.as(identity)),
    }
  }
  return { clientOf: (writer, client) => wrap(writer, '', client), writes: () => writesByKind(answers) }
}

/** The server numbers its writes; an answer with a number that was there before wrote nothing. */
function writesByKind(answers: readonly Answer[]): RecordedWrite[] {
  const known = new Map<string, KubeObject>()
  const writes: RecordedWrite[] = []
  for (const answer of answers.toSorted((a, b) => versionOf(a.object) - versionOf(b.object))) {
    const { writer, verb, member, part, object } = answer
    const name = `${object.kind} ${keyOf(object.metadata)}${member && ` in ${member}`}`
    const before = known.get(name)
    known.set(name, object)
    if (before && versionOf(before) === versionOf(object)) continue
    writes.push({ writer, verb, what: part ? `${name}/${part}` : name, changes: changesOf(before, object) })
  }
  return writes
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}

/** Fields without meaning for the intent of a writer. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['metadata.resourceVersion', 'metadata.managedFields'])

function changesOf(before: KubeObject | undefined, after: KubeObject): string[] {
  const old = new Map(before ? leavesOf(before, '') : [])
  const now = new Map(leavesOf(after, ''))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const next = now.get(path)
    if (next === undefined) return [`- ${path}`]
    return old.get(path) === next ? [] : [`${path}: ${next}`]
  })
}

/** Every value with its path, in the order of the object. */
function leavesOf(value: unknown, path: string): [string, string][] {
  if (BOOKKEEPING.has(path)) return []
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (children.length === 0) return [[path, JSON.stringify(value)]]
  return children.flatMap(([name, child]) => leavesOf(child, path === '' ? name : `${path}.${name}`))
}

/** The writes as text, without what differs from run to run: identities, versions and times get names. */
export function formatWrites(writes: readonly RecordedWrite[]): string {
  const names = new Map<string, string>()
  const steady = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        const name = names.get(id) ?? `<id ${names.size + 1}>`
        names.set(id, name)
        return name
      })
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/^(spec\.resource\.resourceVersion): .*$/, '$1: <version>')
  return writes
    .map(({ writer, verb, what, changes }) =>
      [`${writer}: ${verb} ${what}`, ...changes.map((change) => `    ${steady(change)}`)].join('\n'),
    )
    .join('\n\n')
}
