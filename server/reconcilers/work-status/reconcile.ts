/** One pass over one Work: what its member object says becomes the Work's status. */
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

/** What every pass is given. */
export interface WorkStatusPass {
  context: InterpreterContext
  members: MemberWatch
  /** A script could not say how the object of a Work is; that may have been for lack of time. */
  onUnread(key: ObjectKey): void
}

type ManifestStatus = NonNullable<NonNullable<Work['status']>['manifestStatuses']>[number]

/**
 * 1. Find the member's object. 2. Reflect and judge it. 3. Write what differs. A vanished object leaves its last status.
 * True when something was written.
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
  if (written) tell(context, { work, object, status: written, before })
  return written !== undefined
}

/** A status that the control plane does not take is left out, and the rest still told. Undefined without a change. */
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

/** The one entry of a Work's manifest statuses. */
async function describe(context: InterpreterContext, subject: Subject): Promise<ManifestStatus> {
  const { work, object } = subject
  const status = await reflect(context, subject)
  return { identifier: identify(object), ...(status && { status }), health: await judge(context, work, object) }
}

/** A Work, its object in the member, and how that is to be read. */
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

/** Unknown where the rule for the kind fails. */
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

/** The first status and every change of health; numbers move too often to be told each time. */
function tell(context: InterpreterContext, { work, object, status, before }: News): void {
  const say = statusEvents(context.events, work, object)
  if (!before?.status && status.status) say.reflected()
  const { health } = status
  if (context.interpreter.hasHealthRule(object) && health !== 'Unknown' && health !== before?.health)
    say.interpreted(health === 'Healthy')
}
