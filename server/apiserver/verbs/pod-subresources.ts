/** The subresources `binding` and `eviction` of pods. */
import type { UnknownObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { admit } from '../admission/admit'
import type { Review } from '../admission/webhook'
import type { Ask } from '../api'
import { readTyped } from '../body'
import { json, type Reply } from '../call'
import { badRequest, conflict, internal } from '../failures'
import { checkPreconditions, removeObject, type RemoveOptions } from '../registry/remove'
import { updateObject } from '../registry/update'
import { serverWriter, writerOf } from '../registry/writer'
import type { Entry } from '../store/store'
import { readDryRun } from './write-options'
import { spendDisruption } from './disruption'
import { find } from './get'

const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' }
const BINDING = { group: '', version: 'v1', kind: 'Binding' }

interface Eviction extends UnknownObject {
  deleteOptions?: { gracePeriodSeconds?: number; preconditions?: RemoveOptions['preconditions']; dryRun?: string[] }
}

const EVICTED = {
  type: 'DisruptionTarget',
  status: 'True',
  lastProbeTime: null,
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const

/** Says in the status of a pod why it ends. */
function markEvicted(ask: Ask, pod: Entry): Promise<Entry> {
  const lastTransitionTime = formatTime(ask.api.clock.now())
  const change = (current: UnknownObject): UnknownObject => {
    const status = (current.status ?? {}) as { conditions?: { type: string; status: string }[] }
    const conditions = status.conditions ?? []
    const old = conditions.find(({ type }) => type === EVICTED.type)
    const own = { ...old, ...EVICTED, ...(old?.status !== EVICTED.status && { lastTransitionTime }) }
    const next = old ? conditions.map((one) => (one === old ? own : one)) : [...conditions, own]
    return { ...current, status: { ...status, conditions: next } }
  }
  return updateObject(ask, pod, { writer: serverWriter, subresource: 'status', reviewed: true, change })
}

/** POST of an eviction: a deletion that the pod's disruption budget allows. Throws 429 when it does not. */
export async function evict(ask: Ask): Promise<Reply> {
  const eviction = (await readTyped(ask.call, {
    kind: 'Eviction',
    apiVersion: 'policy/v1',
    word: 'policy.Eviction',
    former: ['policy/v1beta1'],
  })) as Eviction
  if (eviction.metadata.name !== ask.target.name) {
    throw badRequest('name in URL does not match name in Eviction object')
  }
  const pod = find(ask)
  const { dryRun } = eviction.deleteOptions ?? {}
  const tries = readDryRun(ask.call.query, 'CreateOptions') || (dryRun?.length ?? 0) > 0
  const writer = writerOf(ask.call)
  const part = { subresource: 'eviction', kind: EVICTION, writer, dryRun: tries }
  const admitted = (await admitPart(ask, part, eviction)) as Eviction
  const { gracePeriodSeconds: graceSeconds, preconditions } = admitted.deleteOptions ?? {}
  await spendDisruption(ask, pod, tries)
  const target = find(ask)
  checkPreconditions(ask, target.value.metadata, { preconditions })
  const marked = tries ? target : await markEvicted(ask, target)
  const { resourceVersion } = marked.value.metadata
  // The condition that this request has just added must not fail its own precondition.
  const known = preconditions?.resourceVersion === undefined ? preconditions : { ...preconditions, resourceVersion }
  await removeObject(ask, marked, { writer, reviewed: true, graceSeconds, preconditions: known, dryRun: tries })
  return json(DONE, 201)
}

function admitPart(
  ask: Ask,
  part: Pick<Review, 'subresource' | 'kind' | 'writer' | 'dryRun'>,
  object: UnknownObject,
): Promise<UnknownObject> {
  const { name = '', namespace } = ask.target
  return admit(ask, { operation: 'CREATE', name, namespace, ...part }, { object })
}

interface Binding extends UnknownObject {
  target?: { kind?: string; name?: string }
}

/** POST of a binding beside the pods, which names its pod itself. */
export async function bindNamedPod(ask: Ask): Promise<Reply> {
  const resource = ask.keyspace.registry.find('', 'v1', 'pods')
  return bindPod({ ...ask, resource: resource ?? ask.resource })
}

/** POST of a binding: puts a pod on a node. */
export async function bindPod(ask: Ask): Promise<Reply> {
  const dryRun = readDryRun(ask.call.query, 'CreateOptions')
  const part = { subresource: 'binding', kind: BINDING, writer: writerOf(ask.call), dryRun }
  const sent = await readTyped(ask.call, { kind: 'Binding', apiVersion: 'v1', word: 'core.Binding' })
  const binding = (await admitPart(ask, part, sent)) as Binding
  const { kind = '', name: node = '' } = binding.target ?? {}
  const problems = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]),
    ...(node === '' ? ['target.name: Required value'] : []),
  ]
  if (problems.length > 0) {
    throw internal(problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`, '')
  }
  const name = ask.target.name ?? binding.metadata.name
  const current = find({ ...ask, target: { ...ask.target, name } })
  const spec = (current.value.spec ?? {}) as { nodeName?: string }
  const refuse = (why: string): unknown => conflict({ group: '', plural: 'pods/binding' }, name, `pod ${name} ${why}`)
  if (current.value.metadata.deletionTimestamp) throw refuse('is being deleted, cannot be assigned to a host')
  if (spec.nodeName) throw refuse(`is already assigned to node "${spec.nodeName}"`)
  const bound = onNode(current.value, node, formatTime(ask.api.clock.now()))
  if (!dryRun) await ask.api.store.put(current.location, bound, current.revision)
  return json(DONE, 201)
}

function onNode(pod: UnknownObject, nodeName: string, now: string): UnknownObject {
  const status = (pod.status ?? {}) as { conditions?: { type: string }[] }
  const others = (status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now }
  return {
    ...pod,
    spec: { ...(pod.spec as object), nodeName },
    status: { ...status, conditions: [...others, scheduled] },
  }
}
