/** About which namespaces a round of reviews asks, and in which order. */
import type { NamespaceRights } from './namespace-rights'

/** What is known before a round. */
export interface RoundFacts {
  /** Namespaces in which there may be something to see; those that hold something first. */
  all: readonly string[]
  /** Namespaces in which RBAC gives the user a role, while RBAC is watched; absent while it is not. */
  named: ReadonlySet<string> | undefined
  /** False where others than RBAC decide, too: then what it names is only what to ask about first. */
  isRbacAlone: boolean
  rights: Pick<NamespaceRights, 'granted' | 'has' | 'oldest' | 'owed'>
}

/** Namespaces to ask about one group after the other; what was found so far is shown in between. */
export type RoundPlan = readonly (readonly string[])[]

/** What is granted is asked about in each round; where RBAC is watched and decides alone, this part of it. */
const PART_OF_GRANTED = 1 / 10
/** Of the namespaces in which nothing is granted, this part is asked about in each round. */
const PART_OF_OTHERS = 1 / 10
/** Where RBAC is watched, so many in which it does not name the user are still asked about: RBAC may not be the only authorizer. */
const SAMPLES = 2

/**
 * The first round: where RBAC names the user, then all others. Where RBAC is watched and decides alone, one answer is
 * enough to tell whether others decide, too.
 */
export function planFirst({ all, named, isRbacAlone, rights }: RoundFacts): RoundPlan {
  const first = [...(named ?? [])].filter((namespace) => !rights.has(namespace))
  const rest = all.filter((namespace) => !rights.has(namespace) && !named?.has(namespace))
  return [first, named && isRbacAlone ? rest.slice(0, named.size > 0 ? 0 : 1) : rest]
}

/** Every further round: what is granted, or the part of it whose answers are oldest, and some of the rest. */
export function planAgain({ all, named, isRbacAlone, rights }: RoundFacts): RoundPlan {
  const isWatched = named !== undefined && isRbacAlone
  const known = new Set([...rights.granted(), ...(named ?? [])])
  const others = all.filter((namespace) => !known.has(namespace))
  const due = [
    ...rights.owed(),
    ...rights.oldest([...known], isWatched ? Math.ceil(known.size * PART_OF_GRANTED) : known.size),
    ...rights.oldest(others, isWatched ? SAMPLES : Math.ceil(others.length * PART_OF_OTHERS)),
  ]
  return [[...new Set(due)]]
}
