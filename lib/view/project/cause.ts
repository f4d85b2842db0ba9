/** Messages about causes of placement changes. */
import type { CauseCode, PlacementCause } from '@/lib/domain/cause'
import { message, type Message } from '@/lib/messages/message'
import { nameOf } from '@/lib/view/workload-id'
import type { CausedBy } from '../journal'

/** Returns the causes of a change; entries of older versions have only their trigger. */
export function causeOf({ trigger, causes }: CausedBy): Message {
  return causes && causes.length > 0
    ? causesOf(causes)
    : (FORMER[trigger] ?? withObject({ code: trigger as CauseCode }))
}

/** Returns `plan wave 2 of shop-1 by alice`, `cluster failover of member1`; several are joined. */
export function causesOf(causes: readonly PlacementCause[]): Message {
  const [first, ...others] = causes.map(causedBy)
  return first !== undefined && others.length === 0
    ? first
    : message('timeline.cause.all', { causes: causes.map(causedBy) })
}

function causedBy(cause: PlacementCause): Message {
  return cause.by === undefined
    ? withObject(cause)
    : message('timeline.cause.by', { cause: withObject(cause), user: cause.by })
}

const FORMER: Readonly<Record<string, Message | undefined>> = {
  failover: message('timeline.cause.failover'),
  scaling: message('timeline.cause.scale'),
  scheduling: message('timeline.cause.scheduling'),
}

function withObject({ code, object, wave = 0, cluster = '', taint }: PlacementCause): Message {
  switch (code) {
    case 'first placement':
      return message('timeline.cause.firstPlacement')
    case 'plan wave':
      return message('timeline.cause.planWave', { wave, name: object?.name ?? '' })
    case 'undo':
      return message('timeline.cause.undo', { name: object?.name ?? '' })
    case 'rebalance':
      return object ? message('timeline.cause.rebalanceOf', { name: object.name }) : message('timeline.cause.rebalance')
    case 'policy change':
      return object
        ? message('timeline.cause.policyChangeOf', { name: nameOf(object) })
        : message('timeline.cause.policyChange')
    case 'cluster failover':
      return taint === undefined
        ? message('timeline.cause.clusterFailover', { cluster })
        : message('timeline.cause.clusterFailoverFor', { cluster, taint })
    case 'application failover':
      return message('timeline.cause.applicationFailover', { cluster })
    case 'drain':
      return message('timeline.cause.drain', { cluster })
    case 'eviction':
      return message('timeline.cause.eviction', { cluster })
    case 'cluster removal':
      return message('timeline.cause.clusterRemoval', { cluster })
    case 'scale':
      return message('timeline.cause.scale')
    case 'deletion':
      return message('timeline.cause.deletion')
    case 'unseen':
      return message('timeline.cause.unseen')
    // Includes codes of later versions.
    default:
      return message('timeline.cause.unknown')
  }
}
