/** Runs one sequence on both servers and compares the responses. */
import { parse, stringify } from 'yaml'
import { compareResponse } from '@/tools/conformance/sessions/compare-response'
import { bindingsOf, playStep, type Target } from '@/tools/conformance/sessions/exchanges'
import { atPointer, type RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import { Recorder } from '@/tools/conformance/sessions/record'
import type { Received } from '@/tools/conformance/sessions/requests'
import type { Draft } from './family'
import { collected } from './settle'

export interface Servers {
  reference: Target
  subject: Target
}

export interface Difference {
  step: RecordedStep
  /** What was asked before, in order. */
  earlier: readonly RecordedStep[]
  what: string
  /** The text or the message of the subject's answer, and that of the reference's, where both have one. */
  texts?: readonly [found: string, expected: string]
}

export interface Played {
  /** The steps with the answers of the reference. */
  steps: RecordedStep[]
  differences: Difference[]
}

/** Each server gives addresses to Services in its own way. */
const SERVICE_ADDRESS = /\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b/g

/** True for two texts that differ in addresses of Services or made-up names alone. */
function onlyChance(what: string): boolean {
  const [, found, expected] = /^[^:]*: (".*") instead of (".*")$/s.exec(what) ?? []
  return found !== undefined && expected !== undefined && settled(found) === settled(expected)
}

/** What differs between two servers anyway: ids, times, versions and made-up names. */
const CHANCE = [
  /[0-9a-f]{8}-[0-9a-f-]{27}/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /(?<=resourceVersion\W+)\d+/g,
  /(?<=ResourceVersion in (record |object meta: |the precondition ))\(?\d+/g,
  /(?<="g-)[a-z0-9]{5}(?=")/g,
  SERVICE_ADDRESS,
]

/** A text without what differs between two servers anyway. */
export function settled(text: string): string {
  return CHANCE.reduce((rest, pattern) => rest.replaceAll(pattern, '_'), text)
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

function changesNothing({ request }: RecordedStep): boolean {
  return request === undefined || READS.has(request.method) || request.query?.['dryRun'] === 'All'
}

/** Any deviation of the subject from the reference is a difference. */
export async function play(servers: Servers, drafts: readonly Draft[], unique: string): Promise<Played> {
  const steps = drafts.map((draft, index): RecordedStep => ({ id: String(index), ...structuredClone(draft) }))
  const subjectBindings = bindingsOf(servers.subject, unique)
  const own: Own = { unique, since: Math.floor(Date.now() / 1000) * 1000 }
  const [expected, found] = await Promise.all([
    answers(servers.reference, steps, bindingsOf(servers.reference, unique)),
    answers(servers.subject, steps, subjectBindings),
  ])
  const recorder = new Recorder(unique, Date.now())
  const differences: Difference[] = []
  for (const { step, received } of expected) {
    // Nothing to compare: a value that was not captured, or a connection that the reference closed.
    if (received instanceof Error) break
    // A kube-apiserver that makes room for a changed definition asks to come back.
    if (received.status === 429) break
    step.response = recorder.record(step, ownObjects(received, own))
    // Answers of a watch and of what is done meanwhile come in any order.
    const answer = found.find((one) => one.step === step)?.received
    if (answer === undefined && found.length < expected.length) break
    if (answer === undefined || answer instanceof Error) {
      differences.push({ step, what: `: ${String(answer)}`, earlier: [] })
      break
    }
    if (holdsOthers(received)) continue
    const what = compareResponse(step, step.response, ownObjects(answer, own), subjectBindings)
    if (what === undefined || onlyChance(what)) continue
    const [theirs, ours] = what.startsWith('/text')
      ? [received, answer].map((one) => ownObjects(one, own).text)
      : [received.body, answer.body].map((body) => atPointer(body, '/message'))
    const texts = typeof theirs === 'string' && typeof ours === 'string' ? ([ours, theirs] as const) : undefined
    if (what.startsWith('/message') && texts && settled(texts[0]) === settled(texts[1])) continue
    differences.push({ step, what, earlier: steps.slice(0, steps.indexOf(step)), ...(texts && { texts }) })
    // From here on the two hold different objects.
    if (what.startsWith(': status') && !changesNothing(step)) break
  }
  return { steps, differences }
}

/** What `run.ts` makes names unique with: the end of a name, or of the first part of a group. */
const UNIQUE = /(?:^|[-.]g?)(z[0-9a-z]{5,})(?=[ .]|$)/

interface Own {
  /** Part of the names of this sequence. */
  unique: string
  /** When it began, in whole seconds. */
  since: number
}

/** A list of the whole cluster without the objects of other sequences, and without those that were there before. */
function ownObjects(received: Received, own: Own): Received {
  if (received.body !== undefined) return { ...received, body: withOrderedOwners(ownItems(received.body, own)) }
  if (!YAML_LIST.test(received.text)) return received
  return { ...received, text: stringify(ownItems(parse(received.text), own), { lineWidth: 0 }) }
}

/** Owners are sorted by the second of their last write: two writes may fall into one second here and into two there. */
function withOrderedOwners(document: unknown): unknown {
  const body = document as { metadata?: { managedFields?: unknown } } | null | undefined
  const owners = body?.metadata?.managedFields
  if (!Array.isArray(owners)) return document
  const key = ({ operation, manager, apiVersion, subresource }: Owner): string =>
    JSON.stringify([operation, manager, apiVersion, subresource ?? ''])
  const sorted = (owners as Owner[]).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return { ...body, metadata: { ...body?.metadata, managedFields: sorted } }
}

interface Owner {
  operation?: string
  manager?: string
  apiVersion?: string
  subresource?: string
}

const YAML_LIST = /^apiVersion: [^\n]*\nitems:\n/

/** A long answer in protobuf is a list of the whole cluster, whose objects of other sequences cannot be left out. */
function holdsOthers({ body, text }: Received): boolean {
  return body === undefined && text.startsWith('k8s\0') && text.length > LONGEST_PROTOBUF
}

const LONGEST_PROTOBUF = 16 * 1024

function ownItems(document: unknown, { unique, since }: Own): unknown {
  const body = document as { items?: unknown; rows?: unknown } | null | undefined
  const list = body && (['items', 'rows'] as const).find((name) => Array.isArray(body[name]))
  if (!body || !list) return document
  const own = (body[list] as Item[]).filter(({ metadata, object }) => {
    const { name = '', namespace = '', creationTimestamp } = metadata ?? object?.metadata ?? {}
    const [, foreign] = UNIQUE.exec(`${namespace} ${name}`) ?? []
    const isOlder = typeof creationTimestamp === 'string' && Date.parse(creationTimestamp) < since
    return foreign === undefined ? !isOlder : foreign === unique
  })
  return { ...body, [list]: own }
}

interface Named {
  metadata?: { name?: string; namespace?: string; creationTimestamp?: unknown }
}

type Item = Named & { object?: Named }

async function answers(
  target: Target,
  steps: readonly RecordedStep[],
  bindings: ReturnType<typeof bindingsOf>,
): Promise<{ step: RecordedStep; received: Received | Error }[]> {
  const all: { step: RecordedStep; received: Received | Error }[] = []
  for (const step of steps) {
    try {
      await playStep(step, target, bindings, (one, received) => void all.push({ step: one, received }))
      const last = all.at(-1)
      if (last?.step === step && !(last.received instanceof Error)) {
        // From here on the servers hold different objects.
        if (!(await collected(target, step, { received: last.received, bindings }))) break
      }
    } catch (error) {
      all.push({ step, received: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return all
}
