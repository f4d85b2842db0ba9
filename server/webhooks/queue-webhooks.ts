/**
 * Queues: who holds them since when is filled in, what makes no sense is refused, and shares are for who may create
 * queues.
 */
import type { UserInfo } from '@/lib/kube/admission-webhooks/review'
import { type FieldError, textOfFindings } from '@/lib/kube/field-error'
import { queue as queueKind, type QueueObject } from '@/lib/kube/kinds/queue'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { mayUser } from './access'
import { guardedChanges, type QueueWrite, refusedChange, stampHold, validateQueueWrite } from './queue-rules'
import { type Decide, Refusal } from './review'

export interface QueueValidator {
  client: KubeClient
  clock: Clock
}

/** Fills in who set the hold and when. */
export function stampQueues({ clock }: Pick<QueueValidator, 'clock'>): Decide {
  return async (request) => {
    const write = writeOf(request)
    const stamped = stampHold(write, { user: request.userInfo.username, now: clock.now() })
    return stamped === write.object ? [] : [{ op: 'add', path: '/spec/hold', value: stamped.spec?.hold }]
  }
}

/** Validates the queue, then the permissions of the writer. */
export function validateQueues({ client, clock }: QueueValidator): Decide {
  return async (request) => {
    const write = writeOf(request)
    // Asked for and not copied: of two queues for one namespace the second one must see the first.
    const { items } = await client.list(queueKind)
    refuse(422, validateQueueWrite(write, { now: clock.now(), others: items }))
    refuse(403, await refusedChanges(client, write, request.userInfo))
    return []
  }
}

function writeOf({ object, oldObject }: { object: unknown; oldObject: unknown }): QueueWrite {
  return {
    object: object as QueueObject,
    ...(oldObject !== null && oldObject !== undefined && { old: oldObject as QueueObject }),
  }
}

async function refusedChanges(client: KubeClient, write: QueueWrite, user: UserInfo): Promise<FieldError[]> {
  const findings: FieldError[] = []
  for (const change of guardedChanges(write)) {
    for (const namespace of change.namespaces) {
      if (!(await mayUser(client, user, { verb: 'create', namespace }))) {
        findings.push(refusedChange(change, user.username, namespace))
      }
    }
  }
  return findings
}

function refuse(code: 403 | 422, findings: readonly FieldError[]): void {
  const text = textOfFindings(findings)
  if (text) throw new Refusal(code, text)
}
