/** Reconciles one Work: collects the status of its member object. */
import type { Health } from '@/lib/domain/interpreter'
import { manifestsOf } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { clusterOfExecutionSpace } from '@/lib/kube/names'
import { keyOf, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { InterpreterContext } from '../shared/interpreter'
import type { MemberWatch } from '../shared/member-watch'
import { isTooLarge, writeStatusFields } from '../shared/object-writes'
import { statusEvents } from './reasons'

/** Shared by all reconciles. */
export interface WorkStatusPass {
  context: InterpreterContext
  members: MemberWatch
  /** Called when a script failed to interpret the object of a Work, possibly because of a time limit. */
  onUnread(key: ObjectKey): void
}

type ManifestStatus = NonNullable<NonNullable<Work['status']>['manifestStatuses']>[number]

/**
 * 1. Find the member's object. 2. Reflect its status and interpret its health. 3. Write the difference. If the object
 * is deleted, its last status stays. Returns whether anything was written.
 */
export async function reconcileWorkStatus(
  { context, members, onUnread }: WorkStatusPass,
  key: ObjectKey,
): Promise<boolean> {
  const work = context.informers.of(workKind).get(key)
  if (!work || work.metadata.deletionTimestamp || !isConditionTrue(work.status?.conditions, 'Applied')) return false
  const object = await findMemberObject(members, work)
  if (!object) return false
  const status = await describe(context, { work, object })
  if (status.health === 'Unknown' && context.interpreter.isScripted(object, 'health')) onUnread(key)
  const before = work.status?.manifestStatuses?.[0]
  const written = await writeReport(context, { work, object, status })
  if (written) notify(context, { work, object, status: written, before })
  return written !== undefined
}

/**
 * If the control plane rejects a status as too large, writes the rest without it. Returns undefined if nothing changed.
 */
async function writeReport(
  { client, events }: InterpreterContext,
  { work, object, status }: Omit<News, 'before'>,
): Promise<ManifestStatus | undefined> {
  const write = (entry: ManifestStatus) =>
    writeStatusFields(client, workKind, { object: work, fields: { manifestStatuses: [entry] } })
  try {
    return (await write(status)) && status
  } catch (error) {
    if (!isTooLarge(error)) throw error
    statusEvents(events, work, object).notReflected(error)
  }
  const { status: _, ...rest } = status
  return (await write(rest)) && rest
}

async function findMemberObject(members: MemberWatch, work: Work): Promise<UnknownObject | undefined> {
  const cluster = clusterOfExecutionSpace(work.metadata.namespace ?? '')
  const [manifest] = manifestsOf(work)
  if (cluster === undefined || !manifest) return undefined
  const kind = await members.kindOf(cluster, manifest)
  if (!kind) return undefined
  const { namespace, name = '' } = manifest.metadata
  return members.of(cluster, kind).get(keyOf({ name, ...(namespace !== undefined && { namespace }) }))
}

/** Returns the single entry of a Work's manifest statuses. */
async function describe(context: InterpreterContext, subject: Subject): Promise<ManifestStatus> {
  const { work, object } = subject
  const status = await reflect(context, subject)
  return { identifier: identify(object), ...(status && { status }), health: await judge(context, work, object) }
}

/** A Work, its object in the member, and how to interpret that object. */
interface Subject {
  work: Work
  object: UnknownObject
}

function identify({ apiVersion, kind, metadata: { namespace, name } }: UnknownObject): ManifestStatus['identifier'] {
  const [version = '', group] = apiVersion.split('/').toReversed()
  return {
    ordinal: 0,
    ...(group && { group }),
    version,
    kind,
    resource: '',
    ...(namespace !== undefined && { namespace }),
    name,
  }
}

async function reflect(
  context: InterpreterContext,
  { work, object }: Subject,
): Promise<Record<string, unknown> | undefined> {
  try {
    return await context.interpreter.reflect(object)
  } catch (error) {
    statusEvents(context.events, work, object).notReflected(error)
    return undefined
  }
}

/** Returns Unknown if the rule for the kind fails. */
async function judge(context: InterpreterContext, work: Work, object: UnknownObject): Promise<Health> {
  try {
    return (await context.interpreter.health(object)) ? 'Healthy' : 'Unhealthy'
  } catch (error) {
    statusEvents(context.events, work, object).notInterpreted(error)
    return 'Unknown'
  }
}

interface News {
  work: Work
  object: UnknownObject
  status: ManifestStatus
  before: ManifestStatus | undefined
}

/** Records the first status and every change of health; numbers change too often for events. */
function notify(context: InterpreterContext, { work, object, status, before }: News): void {
  const say = statusEvents(context.events, work, object)
  if (!before?.status && status.status) say.reflected()
  const { health } = status
  if (context.interpreter.hasHealthRule(object) && health !== 'Unknown' && health !== before?.health)
    say.interpreted(health === 'Healthy')
}
