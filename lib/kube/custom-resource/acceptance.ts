/** Accepted names of a definition, and their conditions. */
import type {
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionNames,
} from '../kinds/custom-resource-definition'

export type DefinitionStatus = NonNullable<CustomResourceDefinition['status']>

/** Names of a group that others have already. */
export interface TakenNames {
  resources: ReadonlySet<string>
  kinds: ReadonlySet<string>
}

/** The names that the given definitions of one group have. */
export function takenNames(definitions: readonly CustomResourceDefinition[]): TakenNames {
  const accepted = definitions.flatMap(({ status }) => (status?.acceptedNames ? [status.acceptedNames] : []))
  return {
    resources: new Set(
      accepted.flatMap(({ plural, singular, shortNames = [] }) => words([plural, singular, ...shortNames])),
    ),
    kinds: new Set(accepted.flatMap(({ kind, listKind }) => words([kind, listKind]))),
  }
}

/** In order of assignment; of several conflicts the last one is reported. */
const CLAIMS = [
  { name: 'plural', reason: 'PluralConflict', among: 'resources' },
  { name: 'singular', reason: 'SingularConflict', among: 'resources' },
  { name: 'shortNames', reason: 'ShortNamesConflict', among: 'resources' },
  { name: 'kind', reason: 'KindConflict', among: 'kinds' },
  { name: 'listKind', reason: 'ListKindConflict', among: 'kinds' },
] as const

/** The status after names were given out at `now`. A name that was accepted once stays with its definition. */
export function acceptNames(definition: CustomResourceDefinition, taken: TakenNames, now: string): DefinitionStatus {
  const wanted = definition.spec.names
  const status = definition.status ?? {}
  const had: DefinitionNames = status.acceptedNames ?? { plural: '', kind: '' }
  let accepted: DefinitionNames = { ...had }
  let conflict: Problem | undefined
  for (const { name, reason, among } of CLAIMS) {
    const own = words([had[name]].flat())
    const lost = words([wanted[name]].flat()).filter((word) => !own.includes(word) && taken[among].has(word))
    if (lost.length > 0) conflict = { reason, message: inUse(lost) }
    else accepted = { ...accepted, [name]: wanted[name] }
  }
  const { categories } = wanted
  return {
    ...status,
    conditions: conditionsAfter(status, conflict, now),
    acceptedNames: withoutUndefined({ ...accepted, categories }),
  }
}

interface Problem {
  reason: string
  message: string
}

function inUse(names: readonly string[]): string {
  const texts = names.map((name) => `${JSON.stringify(name)} is already in use`)
  return texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
}

/** A kind that was established stays so, whatever becomes of further names. */
function conditionsAfter(status: DefinitionStatus, conflict: Problem | undefined, now: string): DefinitionCondition[] {
  const accepted = conflict
    ? ({ type: 'NamesAccepted', status: 'False', ...conflict } as const)
    : ({ type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } as const)
  const conditions = withCondition(status.conditions ?? [], accepted, now)
  if (isTrue(status, 'Established')) return conditions
  return withCondition(
    conditions,
    conflict
      ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
      : {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
    now,
  )
}

/** The conditions with this one in its place. The time moves only with the status. */
export function withCondition(
  conditions: readonly DefinitionCondition[],
  condition: DefinitionCondition,
  now: string,
): DefinitionCondition[] {
  const old = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now
  const { type, status, ...rest } = condition
  const next = { type, status, lastTransitionTime, ...rest }
  return old ? conditions.map((other) => (other === old ? next : other)) : [...conditions, next]
}

/** True when the status has that condition. */
export function isTrue(status: CustomResourceDefinition['status'], type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
}

function words(names: readonly (string | undefined)[]): string[] {
  return names.filter((name): name is string => name !== undefined && name !== '')
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, child]) => child !== undefined)) as T
}
