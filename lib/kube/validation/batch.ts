/** The rules of jobs and of what makes them. */
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import { parseCronSchedule } from '../cron-schedule'
import { type FieldError, invalidField, requiredField, unsupportedField, validateChoice } from '../field-error'
import type { Container, CronJob, Job, PodTemplate } from '../kinds'
import type { UnknownObject } from '../object'
import { matchesRequirements, requirementsOf } from '../selector'
import { unmatchedLabels, validateLabelSelector } from './label-selector'
import { checkDnsLabel } from './formats'
import { validateManager, validatePolicies, validateReplacedPods } from './job-policies'
import { validateCount, validateCounts } from './numbers'
import { validateTemplate } from './pod'
import { dumped, dumpedTemplate, writtenSelector } from './pod-dump'

const JOB_COUNTS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished']
const FIXED_IN_JOBS = [
  'completions',
  'selector',
  'template',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const
const MAX_CRON_JOB_NAME = 52
const CONCURRENCY = ['Allow', 'Forbid', 'Replace']
const TIME_ZONE_RULE = 'timeZone must be nil or non-empty string'

/** Job: its counts, and a template whose pods may end. */
export function validateJob(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const job = object as unknown as Job
  const spec: Partial<Job['spec']> = job.spec ?? {}
  return [
    ...validateGenerated(job, (old as unknown as Job | undefined)?.spec?.template?.metadata?.labels),
    ...validateJobSpec(spec, 'spec'),
    ...validateOwnSelector(spec),
    ...validateHostname(job),
  ]
}

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid'
const JOB_NAME = 'batch.kubernetes.io/job-name'

/** What the server made up is still there. Labels with a prefix are younger than some Jobs. */
function validateGenerated(
  { metadata: { uid, name }, spec }: Partial<Job> & Pick<Job, 'metadata'>,
  before: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const { manualSelector, selector, template } = spec ?? {}
  if (manualSelector || !selector || !template) return []
  const isYoung = !before || (CONTROLLER_UID in before && JOB_NAME in before)
  const expected: Record<string, string> = {
    'controller-uid': uid,
    'job-name': name,
    ...(isYoung && { [CONTROLLER_UID]: uid, [JOB_NAME]: name }),
  }
  const labels = template.metadata?.labels
  const found = Object.entries(expected).flatMap(([key, value]) => {
    const field = `spec.template.metadata.labels[${key}]`
    const label = labels && ownField(labels, key)
    if (label === undefined) return [requiredField(field, `must be '${value}'`)]
    return label === value ? [] : [invalidField(field, labels, `must be '${value}'`)]
  })
  const requirements = requirementsOf(selector)
  const isGenerated = !requirements.ok || matchesRequirements(requirements.value, expected)
  return isGenerated
    ? found
    : [...found, invalidField('spec.selector', writtenSelector(selector), '`selector` not auto-generated')]
}

/** Pods of an indexed Job are called by its name and their number. */
function validateHostname({ metadata: { name }, spec }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 0) return []
  const last = `${name}-${completions - 1}`
  if (checkDnsLabel(last).length === 0) return []
  return [invalidField('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`)]
}

/** The selector matches the labels of the template, whether the user or the server set it. */
function validateOwnSelector({ selector, template }: Partial<Job['spec']>): FieldError[] {
  if (!template) return []
  const labels = template.metadata?.labels
  const requirements = requirementsOf(selector ?? {})
  const finds = selector && (!requirements.ok || matchesRequirements(requirements.value, labels))
  return [
    ...(selector ? validateLabelSelector(selector, 'spec.selector') : [requiredField('spec.selector')]),
    ...(finds ? [] : [unmatchedLabels(template)]),
  ]
}

const ENDING = ['OnFailure', 'Never']

function lastingPolicy(policy: string | undefined, field: string): FieldError {
  return policy === undefined || policy === 'Always'
    ? requiredField(field, 'valid values: "OnFailure", "Never"')
    : unsupportedField(field, policy, ENDING)
}

function validateJobSpec(spec: Partial<Job['spec']>, field: string): FieldError[] {
  const { template } = spec
  const findings = validateCounts(spec, JOB_COUNTS, field)
  const policy = template?.spec.restartPolicy
  const ends = policy === 'OnFailure' || policy === 'Never'
  return [
    ...findings,
    ...validateIndexes(spec, field),
    ...validatePolicies(spec, field),
    ...(template
      ? validateTemplate(template, `${field}.template`)
      : [requiredField(`${field}.template.spec.containers`)]),
    ...(ends ? [] : [lastingPolicy(policy, `${field}.template.spec.restartPolicy`)]),
    ...validateReplacedPods(spec, `${field}.template.spec.restartPolicy`),
  ]
}

const MODES = ['NonIndexed', 'Indexed']
const MOST_INDEXED = 100_000

/** Only a Job that numbers its pods can count by number, and it knows how many there are. */
function validateIndexes(spec: Partial<Job['spec']>, field: string): FieldError[] {
  const { completionMode: mode = 'NonIndexed', completions, parallelism = 0, maxFailedIndexes: most } = spec
  const perIndex = spec.backoffLimitPerIndex
  const wrong = (name: string, value: unknown, problem: string): FieldError =>
    invalidField(`${field}.${name}`, value, problem)
  const found = [
    ...validateCounts(spec, ['backoffLimitPerIndex', 'maxFailedIndexes'], field),
    ...(most !== undefined && perIndex === undefined
      ? [requiredField(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec.managedBy, `${field}.managedBy`),
    ...(MODES.includes(mode) ? [] : [unsupportedField(`${field}.completionMode`, mode, MODES)]),
  ]
  if (mode === 'Indexed') {
    const limit = `must be less than or equal to ${MOST_INDEXED} when completion mode is Indexed`
    const beyond = most !== undefined && completions !== undefined && most > completions
    const isLarge = completions !== undefined && completions > MOST_INDEXED && perIndex !== undefined
    return [
      ...found,
      ...(completions === undefined ? [requiredField(`${field}.completions`, 'when completion mode is Indexed')] : []),
      ...(parallelism > MOST_INDEXED ? [wrong('parallelism', parallelism, limit)] : []),
      ...(beyond ? [wrong('maxFailedIndexes', most, 'must be less than or equal to completions')] : []),
      ...((most ?? 0) > MOST_INDEXED
        ? [wrong('maxFailedIndexes', most, `must be less than or equal to ${MOST_INDEXED}`)]
        : []),
      ...(isLarge ? validateLarge(spec, field) : []),
    ]
  }
  if (mode !== 'NonIndexed') return found
  return [
    ...found,
    ...(perIndex === undefined ? [] : [wrong('backoffLimitPerIndex', perIndex, 'requires indexed completion mode')]),
    ...(most === undefined ? [] : [wrong('maxFailedIndexes', most, 'requires indexed completion mode')]),
  ]
}

const MOST_OF_LARGE = 10_000

/** A Job with so many numbers that each can fail by itself. */
function validateLarge({ maxFailedIndexes: most, parallelism = 0 }: Partial<Job['spec']>, field: string): FieldError[] {
  const rule =
    `must be less than or equal to ${MOST_OF_LARGE} when completions are above ${MOST_INDEXED} `
    + 'and used with backoff limit per index'
  const missing = `must be specified when completions is above ${MOST_INDEXED}`
  return [
    ...(most === undefined ? [requiredField(`${field}.maxFailedIndexes`, missing)] : []),
    ...(parallelism > MOST_OF_LARGE ? [invalidField(`${field}.parallelism`, parallelism, rule)] : []),
    ...((most ?? 0) > MOST_OF_LARGE ? [invalidField(`${field}.maxFailedIndexes`, most, rule)] : []),
  ]
}

/** Immutable fields of a Job. One that waits may still be told where its pods go, and what they ask for. */
export function validateJobUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}] as [JobSpec, JobSpec]
  return FIXED_IN_JOBS.flatMap((name) => {
    if (name === 'completions') return validateCompletionsUpdate(spec, before)
    if (name === 'template') return validateTemplateUpdate(spec, before, old.status as Job['status'])
    if (deepEqual(spec[name], before[name])) return []
    return [invalidField(`spec.${name}`, writtenField(spec, name), 'field is immutable')]
  })
}

type JobSpec = Partial<Job['spec']>

/** An indexed Job may get more or fewer pods, if all of them may run at once. */
function validateCompletionsUpdate(spec: JobSpec, { completions: before }: JobSpec): FieldError[] {
  const { completions, parallelism, completionMode } = spec
  if (completions === before) return []
  if (completionMode !== 'Indexed') return [invalidField('spec.completions', completions ?? null, 'field is immutable')]
  return completions === undefined || completions === parallelism
    ? []
    : [invalidField('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')]
}

function writtenField(spec: JobSpec, name: (typeof FIXED_IN_JOBS)[number]): unknown {
  if (name === 'podFailurePolicy' && spec[name]) return dumped('PodFailurePolicy', spec[name])
  if (name === 'successPolicy' && spec[name]) return dumped('SuccessPolicy', spec[name])
  return (name === 'selector' ? writtenSelector(spec[name]) : spec[name]) ?? null
}

function validateTemplateUpdate(
  { template }: JobSpec,
  { template: old, suspend }: JobSpec,
  status: Job['status'],
): FieldError[] {
  if (!template || !old || deepEqual(template, old)) return []
  const { startTime, active = 0, conditions = [] } = status ?? {}
  const waits = conditions.some(({ type, status: holds }) => type === 'Suspended' && holds === 'True')
  const isOpen = suspend === true && (startTime === undefined || waits) && active === 0
  if (!isOpen) return [invalidField('spec.template', dumpedTemplate(template), 'field is immutable')]
  const kept = withPlaces(old.spec, template.spec)
  return deepEqual(kept, template.spec)
    ? []
    : [invalidField('spec.template.spec', dumped('PodSpec', template.spec), 'field is immutable')]
}

type Spec = PodTemplate['spec']

/** The old spec with what may change of the new one: where its pods go, and what its containers ask for. */
function withPlaces(old: Spec, next: Spec): Spec {
  const { affinity, nodeSelector, tolerations, schedulingGates } = next
  const nodes = affinity?.nodeAffinity
  const others = omit(old.affinity ?? {}, 'nodeAffinity')
  const kept =
    Object.keys(others).length > 0 || affinity ? { ...others, ...(nodes && { nodeAffinity: nodes }) } : undefined
  const asking = (list: 'containers' | 'initContainers'): Spec['containers'] | undefined =>
    old[list]?.length === next[list]?.length
      ? old[list]?.map((container, index) => withResources(container, next[list]?.[index]))
      : old[list]
  const [containers, initContainers] = [asking('containers'), asking('initContainers')]
  return {
    ...omit(old, 'affinity', 'nodeSelector', 'tolerations', 'schedulingGates', 'initContainers'),
    ...(containers && { containers }),
    ...(initContainers && { initContainers }),
    ...(kept && { affinity: kept }),
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    ...(schedulingGates && { schedulingGates }),
  } as Spec
}

function withResources(old: Container, next: Container | undefined): Container {
  if (next?.name !== old.name) return old
  return { ...omit(old, 'resources'), ...(next.resources && { resources: next.resources }) }
}

/** A new Job finds its pods by its own uid, unless the user wants to choose them. */
export function selectOwnPods(object: UnknownObject): UnknownObject {
  const job = object as unknown as Job
  const { template, selector, manualSelector } = job.spec ?? {}
  if (manualSelector || !template) return object
  const { name, uid } = job.metadata
  const labels = {
    [CONTROLLER_UID]: uid,
    [JOB_NAME]: name,
    'controller-uid': uid,
    'job-name': name,
    ...template.metadata?.labels,
  }
  const matchLabels = { [CONTROLLER_UID]: uid, ...selector?.matchLabels }
  return {
    ...object,
    spec: {
      ...job.spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

/** CronJob: a schedule that can be read, and a template of jobs that can run. */
export function validateCronJob(object: UnknownObject): FieldError[] {
  const { spec, metadata } = object as unknown as CronJob
  const { jobTemplate } = spec
  return [
    ...(metadata.name?.length > MAX_CRON_JOB_NAME
      ? [invalidField('metadata.name', metadata.name, `must be no more than ${MAX_CRON_JOB_NAME} characters`)]
      : []),
    ...validateSchedule(spec.schedule),
    ...validateCount(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...validateTimeZone(spec.timeZone),
    ...validateChoice(spec.concurrencyPolicy, CONCURRENCY, 'spec.concurrencyPolicy'),
    ...validateJobSpec(jobTemplate?.spec ?? {}, 'spec.jobTemplate.spec'),
    ...(jobTemplate?.spec?.selector
      ? [invalidField('spec.jobTemplate.spec.selector', jobTemplate.spec.selector, '`selector` will be auto-generated')]
      : []),
    ...(jobTemplate?.spec?.manualSelector
      ? [unsupportedField('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'])]
      : []),
    ...validateCounts(spec, ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], 'spec'),
  ]
}

function validateSchedule(schedule: string | undefined): FieldError[] {
  if (!schedule) return [requiredField('spec.schedule')]
  if (schedule.includes('TZ')) {
    const advice = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    return [invalidField('spec.schedule', schedule, advice)]
  }
  const parsed = parseCronSchedule(schedule)
  return parsed.ok ? [] : [invalidField('spec.schedule', schedule, parsed.error)]
}

function validateTimeZone(zone: string | undefined): FieldError[] {
  if (zone === undefined) return []
  if (zone === '') return [invalidField('spec.timeZone', '', TIME_ZONE_RULE)]
  if (zone.toLowerCase() === 'local') {
    return [
      invalidField(
        'spec.timeZone',
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ]
  }
  return isTimeZone(zone) ? [] : [invalidField('spec.timeZone', zone, `unknown time zone ${zone}`)]
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
