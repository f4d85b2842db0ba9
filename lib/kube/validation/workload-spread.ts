/** The rules of a WorkloadSpread, in OpenKruise's words. Fields are named as in v1beta1, whatever version was written. */
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { PodTemplate, SpreadSubset, Volume, WorkloadSpread, WorkloadSpreadSpec } from '../kinds'
import { podTemplate } from '../kinds/pod-template'
import { parsePercent, type ShareParser } from '../percent'
import { findMismatch } from '../schema-mismatch'
import { pruneUnknown } from '../schema-prune'
import { requirementsOf } from '../selector'
import { applyStrategicPatch } from '../strategic'
import { type CustomWorkload, groupOf, groupsOfWorkload, isSameWorkload } from '../workload-target'
import { validateNodeSelectorTerm, validatePreferredTerms } from './node-selector'
import { validatePodSpec } from './pod'
import { validateTolerations } from './pod-parts'

/** What the rules look at besides the spread itself. */
export interface SpreadValidationContext {
  /** The template of the workload, when it is there already; claims of a workload are volumes. */
  template?: PodTemplate | undefined
  /** Kinds of workloads that were allowed besides the known ones. */
  custom?: readonly CustomWorkload[]
  /** How shares are read; OpenKruise is lenient here. */
  parser?: ShareParser
}

/** Validates a spec. */
export function validateSpreadSpec(spec: WorkloadSpreadSpec, context: SpreadValidationContext = {}): FieldError[] {
  return [
    ...validateTarget(spec.targetRef, context.custom),
    ...validateSubsets(spec, context),
    ...validateStrategy(spec),
    ...validateFilter(spec.targetFilter),
  ]
}

/** Pods would not know which of two spreads means them. One other spread is named, however many there are. */
export function validateSpreadConflicts(
  { metadata, spec }: Pick<WorkloadSpread, 'metadata' | 'spec'>,
  others: readonly Pick<WorkloadSpread, 'metadata' | 'spec'>[],
): FieldError[] {
  const target = spec?.targetRef
  const same = others.find(
    (other) =>
      other.metadata.name !== metadata.name
      && other.metadata.namespace === metadata.namespace
      && target
      && other.spec?.targetRef
      && isSameWorkload(target, other.spec.targetRef),
  )
  if (!same) return []
  const rule = `ws.spec.targetRef is in conflict with other WorkloadSpread ${same.metadata.name}`
  return [invalidField('spec.targetRef', target, rule)]
}

/** The workload of a spread stays; only the version in which it is named may change. */
export function validateSpreadUpdate(next: WorkloadSpreadSpec, old: WorkloadSpreadSpec | undefined): FieldError[] {
  const [target, before] = [next.targetRef, old?.targetRef]
  if (!target || !before || isSameWorkload(target, before)) return []
  return [invalidField('spec.targetRef', target, 'change TargetReference is not permitted for WorkloadSpread')]
}

/** A body that was not read by schema may lack what the schema demands. */
function validateTarget(
  target: WorkloadSpreadSpec['targetRef'] | undefined,
  custom: readonly CustomWorkload[] = [],
): FieldError[] {
  const field = 'spec.targetRef'
  if (!target) return [requiredField(field, 'no targetRef defined in WorkloadSpread')]
  const { apiVersion, kind, name } = target
  const empty = !apiVersion || !kind || !name
  if (empty) return [invalidField(field, target, 'empty TargetReference is not valid for WorkloadSpread.')]
  const group = groupOf(apiVersion)
  const groups = groupsOfWorkload(kind)
  if (groups) {
    const allowed = group.ok && groups.includes(group.value)
    return allowed ? [] : [invalidField(field, target, `TargetReference is not valid for ${kind}.`)]
  }
  const listed = group.ok && custom.some((one) => one.group === group.value && one.kind === kind)
  return listed ? [] : [invalidField(field, target, "TargetReference's GroupKind is not permitted.")]
}

function validateSubsets(
  { subsets = [], targetRef }: WorkloadSpreadSpec,
  context: SpreadValidationContext,
): FieldError[] {
  const field = 'spec.subsets'
  if (subsets.length === 0) return [requiredField(field, 'subsets number must >= 1 in WorkloadSpread')]
  const findings: FieldError[] = []
  const names = new Set<string>()
  const limits = new Limits(targetRef?.kind === 'StatefulSet', context.parser)
  for (const [index, subset] of subsets.entries()) {
    const at = `${field}[${index}]`
    findings.push(...validateName(subset.name, `${at}.name`, names), ...validateSubset(subset, at, context.template))
    const broken = limits.check(subset.maxReplicas, `${at}.maxReplicas`)
    if (broken) return [...findings, broken]
  }
  const short = limits.fallsShort && subsets.at(-1)?.maxReplicas !== undefined
  const rule = 'maxReplicas sum of all subsets must equal 100% when type is specified as percent'
  return short ? [...findings, invalidField(`${field}[0].maxReplicas`, subsets[0]?.maxReplicas, rule)] : findings
}

function validateName(name: string | undefined, field: string, names: Set<string>): FieldError[] {
  if (!name) return [invalidField(field, '', '')]
  if (names.has(name)) return [invalidField(field, name, `duplicated subset name ${name}`)]
  names.add(name)
  return []
}

function validateSubset(subset: SpreadSubset, field: string, template: PodTemplate | undefined): FieldError[] {
  const { requiredNodeSelector, preferredNodeSelector = [], tolerations = [], patch } = subset
  return [
    ...(requiredNodeSelector
      ? validateNodeSelectorTerm(requiredNodeSelector, `${field}.requiredNodeSelector`, true)
      : []),
    ...validatePreferredTerms(preferredNodeSelector, `${field}.preferredNodeSelector`),
    ...validateTolerations(tolerations, `${field}.tolerations`),
    ...(patch && template ? validatePatch(patch, template, `${field}.patch`) : []),
  ]
}

/** All limits of a spread: of one type, none negative, shares of no more than the whole. */
class Limits {
  #type: 'number' | 'string' | undefined
  #sum = 0

  constructor(
    private readonly numbersOnly: boolean,
    private readonly parser: ShareParser = 'lenient',
  ) {}

  check(maxReplicas: number | string | undefined, field: string): FieldError | undefined {
    if (maxReplicas === undefined) return undefined
    const type = typeof maxReplicas === 'string' ? 'string' : 'number'
    const refuse = (rule: string): FieldError => invalidField(field, maxReplicas, rule)
    this.#type ??= type
    if (this.#type !== type) return refuse('the maxReplicas type of all subsets must be the same')
    if (this.numbersOnly && type !== 'number') return refuse('the maxReplicas type must be Int for StatefulSet')
    const value = this.#valueOf(maxReplicas)
    if (value === undefined || value < 0) return refuse('maxReplicas is not valid for subset')
    this.#sum += value
    const tooMuch = type === 'string' && this.#sum > 100
    return tooMuch ? refuse("the sum of all subset's maxReplicas exceeds 100% is no permitted") : undefined
  }

  get fallsShort(): boolean {
    return this.#type === 'string' && this.#sum < 100
  }

  #valueOf(maxReplicas: number | string): number | undefined {
    if (typeof maxReplicas === 'number') return maxReplicas
    const percent = parsePercent(maxReplicas, this.parser)
    return percent.ok ? percent.value : undefined
  }
}

/** The pod that the patch makes of the template has to be a valid one. */
function validatePatch(patch: object, template: PodTemplate, field: string): FieldError[] {
  const patched = patchTemplate(patch, template)
  if (typeof patched === 'string') return [invalidField(field, JSON.stringify(patch), patched)]
  return validatePodSpec(patched.spec, field)
}

/** The patched template, or why the patch does not fit. */
function patchTemplate(patch: object, template: PodTemplate): PodTemplate | string {
  try {
    const merged = applyStrategicPatch(template, patch, podTemplate)
    return (
      findMismatch(merged, podTemplate, 'PodTemplateSpec') ?? (pruneUnknown(merged, podTemplate).value as PodTemplate)
    )
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A template with the claims of its workload as volumes, as its pods will have them. */
export function withClaims(
  template: PodTemplate,
  claims: readonly { metadata?: { name?: string } }[] = [],
): PodTemplate {
  const volumes = claims.flatMap(({ metadata }): Volume[] =>
    metadata?.name ? [{ name: metadata.name, persistentVolumeClaim: { claimName: metadata.name } }] : [],
  )
  if (volumes.length === 0) return template
  return { ...template, spec: { ...template.spec, volumes: [...(template.spec.volumes ?? []), ...volumes] } }
}

/** Pods of a closed subset reopen after 300 s, so all of them together may not wait longer. */
const TIMEOUT_SECONDS = 295
const ANY_SECONDS = 2_147_483_647

function validateStrategy({ scheduleStrategy = {}, subsets = [] }: WorkloadSpreadSpec): FieldError[] {
  const field = 'spec.scheduleStrategy'
  const { type = '' as const, adaptive } = scheduleStrategy
  const known = ['', 'Fixed', 'Adaptive'].includes(type)
  const unknown = known ? [] : [invalidField(`${field}.type`, type, "ScheduleStrategy's type is not valid")]
  if (!adaptive) return unknown
  const needed = "the scheduleStrategy's type must be adaptive when using adaptive scheduleStrategy"
  const last = "the last subset's maxReplicas must be not specified when using adaptive scheduleStrategy"
  const closed = subsets.length > 1 && subsets.at(-1)?.maxReplicas !== undefined
  return [
    ...unknown,
    ...(type === 'Adaptive' ? [] : [invalidField(`${field}.type`, type, needed)]),
    ...(closed ? [invalidField(`${field}.adaptive`, adaptive, last)] : []),
    ...validatePatience(adaptive.rescheduleCriticalSeconds, subsets.length),
  ]
}

function validatePatience(seconds: number | undefined, subsets: number): FieldError[] {
  const most = subsets > 1 ? Math.floor(TIMEOUT_SECONDS / (subsets - 1)) : ANY_SECONDS
  if (seconds === undefined || (seconds >= 0 && seconds <= most)) return []
  const rule = `rescheduleCriticalSeconds < 0 or rescheduleCriticalSeconds > ${most} is not permitted`
  return [invalidField('spec.scheduleStrategy.adaptive.rescheduleCriticalSeconds', seconds, rule)]
}

function validateFilter(filter: WorkloadSpreadSpec['targetFilter']): FieldError[] {
  if (!filter?.selector) return []
  const requirements = requirementsOf(filter.selector)
  return requirements.ok ? [] : [invalidField('spec.targetFilter', filter, requirements.error)]
}
