/** The rules of the kinds that make pods. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { DaemonSet, Deployment, LabelSelector, PodTemplate, StatefulSet } from '../kinds'
import type { UnknownObject } from '../object'
import { matchesRequirements, requirementsOf } from '../selector'
import { validateClaimSpec } from './claim-spec'
import { checkDnsLabel } from './formats'
import { unmatchedLabels, validateLabelSelector } from './label-selector'
import { validateCount, validateShare, validateShareOfWhole } from './numbers'
import { validateRestartPolicy, validateTemplate } from './pod'
import { writtenSelector } from './pod-dump'

interface WorkloadSpec {
  replicas?: number
  minReadySeconds?: number
  progressDeadlineSeconds?: number
  revisionHistoryLimit?: number
  selector?: LabelSelector
  template?: PodTemplate
}

const specOf = (object: UnknownObject): WorkloadSpec => (object.spec ?? {}) as WorkloadSpec

/** Deployment, ReplicaSet, StatefulSet and DaemonSet: counts, template, and a selector that finds its pods. */
export function validateWorkload(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { replicas, minReadySeconds, selector, template } = specOf(object)
  const hasSelector = hasReadableSelector(selector, object.kind)
  return [
    ...validateCount(replicas, 'spec.replicas'),
    ...validateCount(minReadySeconds, 'spec.minReadySeconds'),
    ...validateOrdinals(object),
    ...(old ? [] : validateServiceName(object)),
    ...validateSelector(selector, object.kind),
    ...validateMatch(selector, template, object.kind),
    ...(template
      ? validateOwnTemplate(template, object.kind, hasSelector)
      : hasSelector
        ? [requiredField(missingTemplate(object.kind))]
        : []),
  ]
}

/** DaemonSet: besides, a way of replacing pods. */
export function validateDaemonSet(object: UnknownObject): FieldError[] {
  const { updateStrategy, revisionHistoryLimit } = object.spec as DaemonSet['spec']
  const { type, rollingUpdate } = updateStrategy ?? {}
  const known = type === undefined || DAEMON_STRATEGIES.includes(type)
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {}
  const held = rollingUpdate ? { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } : null
  return [
    ...validateWorkload(object),
    ...(known ? [] : [unsupportedField('spec.updateStrategy', { Type: type, RollingUpdate: held }, DAEMON_STRATEGIES)]),
    ...(type === 'RollingUpdate' && rollingUpdate ? validateDaemonRollout(rollingUpdate) : []),
    ...validateCount(revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ]
}

const DAEMON_STRATEGIES = ['RollingUpdate', 'OnDelete']

type DaemonRollout = NonNullable<NonNullable<DaemonSet['spec']['updateStrategy']>['rollingUpdate']>

/** A count or a share; what is neither counts as none. */
const countOf = (value: number | string): number =>
  typeof value === 'number' ? value : Number(/^(\d+)%$/.exec(value)?.[1] ?? 0)

/** Exactly one of the two limits is not zero. */
function validateDaemonRollout({ maxUnavailable = 0, maxSurge = 0 }: DaemonRollout): FieldError[] {
  const field = 'spec.updateStrategy.rollingUpdate'
  const [missing, twice] = [maxUnavailable, maxSurge].map((value) => countOf(value) !== 0)
  return [
    ...validateShareOfWhole(maxUnavailable, `${field}.maxUnavailable`),
    ...validateShareOfWhole(maxSurge, `${field}.maxSurge`),
    ...(missing && twice
      ? [invalidField(`${field}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(missing || twice ? [] : [requiredField(`${field}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ]
}

/** StatefulSet: its pods also mount its claims, and take their names from it. */
export function validateStatefulSet(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const spec = object.spec as StatefulSet['spec']
  const found = [
    ...validateManagement(spec),
    ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...(old ? [] : validateClaims(spec.volumeClaimTemplates ?? [])),
    ...validateWorkload({ ...object, spec: { ...spec, ...(spec.template && { template: completed(spec) }) } }, old),
  ]
  // A template that was invalid before may stay so.
  const wasInvalid = found.length > 0 && old !== undefined && validateStatefulSet(old).length > 0
  return wasInvalid ? found.filter(({ field }) => !OF_POD.test(field)) : found
}

const OF_POD = /^spec\.template\.spec\.(?!restartPolicy$|activeDeadlineSeconds$)/

/** The template as its pods will be. */
function completed({ template, volumeClaimTemplates = [] }: StatefulSet['spec']): PodTemplate {
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''))
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const volumes = [...claimed, ...(template.spec?.volumes ?? []).filter(({ name }) => !names.has(name))]
  const spec = omit(template.spec ?? {}, 'hostname', 'subdomain')
  return { ...template, spec: { ...spec, ...(volumes.length > 0 && { volumes }) } } as PodTemplate
}

const RETENTION = ['Retain', 'Delete']

/** What becomes of the claims of pods that go. */
function validateRetention(policy: StatefulSet['spec']['persistentVolumeClaimRetentionPolicy']): FieldError[] {
  const field = 'spec.persistentVolumeClaimRetentionPolicy'
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) =>
    validateChoice(policy?.[name], RETENTION, `${field}.${name}`),
  )
}

/** The claims of new pods cannot be mended later. */
function validateClaims(claims: NonNullable<StatefulSet['spec']['volumeClaimTemplates']>): FieldError[] {
  return claims.flatMap(({ spec }, index) => validateClaimSpec(spec ?? {}, `spec.volumeClaimTemplates[${index}].spec`))
}

const MANAGEMENT = new Set(['OrderedReady', 'Parallel'])

function validateManagement({ podManagementPolicy: policy, updateStrategy = {} }: StatefulSet['spec']): FieldError[] {
  const { type = 'RollingUpdate', rollingUpdate } = updateStrategy
  const field = 'spec.updateStrategy'
  return [
    ...(policy === undefined || MANAGEMENT.has(policy)
      ? []
      : [invalidField('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(type === 'OnDelete' && rollingUpdate
      ? [
          invalidField(
            `${field}.rollingUpdate`,
            dumped(rollingUpdate),
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ]
      : []),
    ...(type === 'RollingUpdate' && rollingUpdate
      ? [
          ...validateCount(rollingUpdate.partition, `${field}.rollingUpdate.partition`),
          ...validateShareOfWhole(rollingUpdate.maxUnavailable, `${field}.rollingUpdate.maxUnavailable`),
        ]
      : []),
    ...(type === 'OnDelete' || type === 'RollingUpdate'
      ? []
      : [
          invalidField(
            field,
            { Type: type, RollingUpdate: rollingUpdate ? dumped(rollingUpdate) : null },
            "must be 'RollingUpdate' or 'OnDelete'",
          ),
        ]),
  ]
}

type Partition = NonNullable<NonNullable<StatefulSet['spec']['updateStrategy']>['rollingUpdate']>

const dumped = ({ partition = 0, maxUnavailable }: Partition): object => ({
  Partition: partition,
  MaxUnavailable: maxUnavailable ?? null,
})

/** Where the numbers of the pods of a StatefulSet begin. */
function validateOrdinals({ kind, spec }: UnknownObject): FieldError[] {
  const { ordinals } = (spec ?? {}) as Partial<StatefulSet['spec']>
  return kind === 'StatefulSet' ? validateCount(ordinals?.start, 'spec.ordinals.start') : []
}

/** The Service of a StatefulSet names its pods. */
function validateServiceName({ kind, spec }: UnknownObject): FieldError[] {
  const { serviceName } = (spec ?? {}) as { serviceName?: string }
  if (kind !== 'StatefulSet' || !serviceName) return []
  return checkDnsLabel(serviceName).map((problem) => invalidField('spec.serviceName', serviceName, problem))
}

/** Only a ReplicationController may be without a template; the others have an empty one. */
function missingTemplate(kind: string): string {
  return kind === 'ReplicationController' ? 'spec.template' : 'spec.template.spec.containers'
}

/** Templates without findings: most updates of a workload keep its template. */
const valid = new WeakSet<PodTemplate>()

function findingsIn(template: PodTemplate): FieldError[] {
  if (valid.has(template)) return []
  const found = validateTemplate(template, 'spec.template')
  if (found.length === 0) valid.add(template)
  return found
}

/** A workload that keeps pods running restarts them always, and for as long as it is there. */
function validateOwnTemplate(template: PodTemplate, kind: string, hasSelector: boolean): FieldError[] {
  // Without a selector that can be read, the template is not looked at; that of a StatefulSet by what holds for it alone.
  if (!hasSelector && kind !== 'StatefulSet') return []
  const field = 'spec.template.spec'
  const { restartPolicy, activeDeadlineSeconds } = template.spec
  const owner = kind === 'Deployment' || kind === 'ReplicationController' ? 'ReplicaSet' : kind
  return [
    ...(hasSelector ? findingsIn(template) : []),
    ...(restartPolicy === undefined ? [] : validateRestartPolicy(template.spec, field)),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(`${field}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`)]),
  ]
}

/** ReplicationController: like the others, but its selector is a plain map. */
export function validateReplicationController(object: UnknownObject): FieldError[] {
  const { selector, ...spec } = specOf(object) as WorkloadSpec & { selector?: Record<string, string> }
  const chosen = selector && Object.keys(selector).length > 0
  return validateWorkload({ ...object, spec: { ...spec, ...(chosen && { selector: { matchLabels: selector } }) } })
}

/** Deployment: besides what holds for all, a way of replacing pods that can get somewhere. */
export function validateDeployment(object: UnknownObject): FieldError[] {
  const { minReadySeconds, progressDeadlineSeconds, revisionHistoryLimit } = specOf(object)
  return [
    ...validateWorkload(object),
    ...validateStrategy((object as unknown as Deployment).spec.strategy),
    ...validateCount(revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    ...validateDeadline(progressDeadlineSeconds, minReadySeconds),
  ]
}

const STRATEGIES = ['Recreate', 'RollingUpdate']

function validateStrategy(strategy: Deployment['spec']['strategy'] = {}): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'Recreate' && rollingUpdate) {
    const rule = "may not be specified when strategy `type` is 'Recreate'"
    return [forbiddenField('spec.strategy.rollingUpdate', rule)]
  }
  if (type !== undefined && !STRATEGIES.includes(type)) {
    const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {}
    const held = rollingUpdate ? { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge } : null
    return [unsupportedField('spec.strategy', { Type: type, RollingUpdate: held }, STRATEGIES)]
  }
  if (!rollingUpdate) return []
  const field = 'spec.strategy.rollingUpdate'
  const { maxUnavailable, maxSurge } = rollingUpdate
  const stuck = Number.parseInt(String(maxUnavailable), 10) === 0 && Number.parseInt(String(maxSurge), 10) === 0
  return [
    ...validateShareOfWhole(maxUnavailable, `${field}.maxUnavailable`),
    ...validateShare(maxSurge, `${field}.maxSurge`),
    ...(stuck ? [invalidField(`${field}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
  ]
}

function validateDeadline(deadline: number | undefined, minReady = 0): FieldError[] {
  if (deadline === undefined) return []
  const field = 'spec.progressDeadlineSeconds'
  const late = deadline <= minReady ? [invalidField(field, deadline, 'must be greater than minReadySeconds')] : []
  return [...validateCount(deadline, field), ...late]
}

function validateSelector(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (!selector) return kind === 'DaemonSet' ? [] : [requiredField('spec.selector')]
  if (kind === 'ReplicationController') return []
  const empty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length
  if (empty) return [invalidField('spec.selector', selector, `empty selector is invalid for ${nameInTexts(kind)}`)]
  return validateLabelSelector(selector, 'spec.selector')
}

/** The real server took the text for ReplicaSets from Deployments. */
function nameInTexts(kind: string): string {
  return kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase()
}

/** What finds no pods at all does not find those of the template either: so does a selector that is not there. */
function validateMatch(
  selector: LabelSelector | undefined,
  template: PodTemplate | undefined,
  kind: string,
): FieldError[] {
  // A ReplicationController without a template only hears that it lacks one.
  if (!template && kind === 'ReplicationController') return []
  const requirements = requirementsOf(selector ?? {})
  // The plain map of a ReplicationController is compared whatever it holds.
  if (!requirements.ok && kind !== 'ReplicationController') return unreadable(selector, kind)
  const labels = template?.metadata?.labels
  const finds = requirements.ok && matchesRequirements(requirements.value, labels)
  if (selector ? finds : kind === 'ReplicationController') return []
  return [unmatchedLabels(template)]
}

/** A DaemonSet's template, and that of a plain map, is judged whatever the selector is. */
function hasReadableSelector(selector: LabelSelector | undefined, kind: string): boolean {
  return kind === 'DaemonSet' || kind === 'ReplicationController' || requirementsOf(selector ?? {}).ok
}

function unreadable(selector: LabelSelector | undefined, kind: string): FieldError[] {
  if (kind === 'DaemonSet') return []
  return [
    invalidField('spec.selector', writtenSelector(selector), kind === 'StatefulSet' ? '' : 'invalid label selector'),
  ]
}

/** The selector is part of a workload's identity. */
export function validateSelectorUnchanged(next: UnknownObject, old: UnknownObject): FieldError[] {
  const selector = specOf(next).selector
  return deepEqual(selector, specOf(old).selector)
    ? []
    : [invalidField('spec.selector', writtenSelector(selector), 'field is immutable')]
}

const STATEFUL_MUTABLE = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

/** Mutable fields of a StatefulSet. */
export function validateStatefulSetUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const fixed = (spec: WorkloadSpec): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !STATEFUL_MUTABLE.has(name)))
  if (deepEqual(fixed(specOf(next)), fixed(specOf(old)))) return []
  return [
    forbiddenField(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
        + "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' "
        + 'are forbidden',
    ),
  ]
}
