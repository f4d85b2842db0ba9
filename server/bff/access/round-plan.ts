/** Plans which namespaces a round of reviews covers, and in which order. */
import type { NamespaceRights } from './namespace-rights'

/** What is known before a round of reviews. */
export interface RoundFacts {
  /** Namespaces that may have content; those that do have it come first. */
  all: readonly string[]
  /** Namespaces in which RBAC binds a role to the user, while RBAC is watched; absent while it is not. */
  named: ReadonlySet<string> | undefined
  /** False when other authorizers decide too; the namespaces that RBAC names are then only reviewed first. */
  isRbacAlone: boolean
  rights: Pick<NamespaceRights, 'granted' | 'has' | 'oldest' | 'owed'>
}

/** Namespaces to review, group after group; intermediate results are shown between groups. */
export type RoundPlan = readonly (readonly string[])[]

/** Granted namespaces are reviewed in each round; where RBAC is watched and decides alone, only this part of them. */
const PART_OF_GRANTED = 1 / 10
/** This part of the namespaces without grants is reviewed in each round. */
const PART_OF_OTHERS = 1 / 10
/**
 * Where RBAC is watched, this many namespaces in which it does not name the user are reviewed nevertheless, because
 * RBAC may not be the only authorizer.
 */
const SAMPLES = 2

/**
 * Plans the first round: the namespaces where RBAC names the user, then all others. Where RBAC is watched and decides
 * alone, one answer is enough to detect another authorizer.
 */
export function planFirst({ all, named, isRbacAlone, rights }: RoundFacts): RoundPlan {
  const first = [...(named ?? [])].filter((namespace) => !rights.has(namespace))
  const rest = all.filter((namespace) => !rights.has(namespace) && !named?.has(namespace))
  return [first, named && isRbacAlone ? rest.slice(0, named.size > 0 ? 0 : 1) : rest]
}

/** Plans a later round: the granted namespaces, or the part of them with the oldest answers, and some of the others. */
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
