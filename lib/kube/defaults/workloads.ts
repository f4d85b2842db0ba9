/** The defaults of the kinds that make pods. */
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  PodTemplate,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
  StoredPodTemplate,
} from '../kinds'
import type { UnknownObject } from '../object'
import { defaultPodSpec } from './pod'
import { defaultClaim } from './storage'

const REVISIONS = 10
const QUARTER = '25%'

/** Templates that have their defaults: most writes of an object share its template with the stored one. */
const complete = new WeakSet<PodTemplate>()

function defaultTemplate(given: PodTemplate): PodTemplate {
  if (complete.has(given)) return given
  const { creationTimestamp: _, ...metadata } = given.metadata ?? {}
  const template = { metadata, spec: defaultPodSpec(given.spec ?? {}, { isTemplate: true }) }
  complete.add(template)
  return template
}

interface PodMaker {
  spec: { template?: PodTemplate }
  status?: object
}

/**
 * Applies common defaults: `own` are those of the kind, `status` its initial counts. A part that has them already stays the
 * same object, so that the rest of an update need not look into it.
 */
function completed<T extends PodMaker>(object: T, own: Partial<T['spec']>, status: T['status'] = {}): T {
  const { template, ...spec } = object.spec ?? {}
  const defaulted = { ...spec, ...own }
  const whole = { ...defaulted, ...(template && { template: defaultTemplate(template) }) }
  const isComplete = whole.template === template && deepEqual(defaulted, spec)
  const counts = { ...status, ...object.status }
  return {
    ...object,
    spec: isComplete && object.spec ? object.spec : whole,
    status: object.status && deepEqual(counts, object.status) ? object.status : counts,
  }
}

/** A Deployment as an API server completes it. */
export function defaultDeployment(object: Deployment): Deployment {
  const spec = object.spec ?? {}
  return completed(object, {
    replicas: spec.replicas ?? 1,
    strategy: defaultStrategy(spec.strategy ?? {}),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
  })
}

type Strategy = NonNullable<Deployment['spec']['strategy']>

function defaultStrategy(strategy: Strategy): Strategy {
  const type = strategy.type ?? 'RollingUpdate'
  if (type !== 'RollingUpdate') return { ...strategy, type }
  const { maxUnavailable = QUARTER, maxSurge = QUARTER } = strategy.rollingUpdate ?? {}
  return { ...strategy, type, rollingUpdate: { maxUnavailable, maxSurge } }
}

/** A ReplicaSet as an API server completes it. */
export function defaultReplicaSet(object: ReplicaSet): ReplicaSet {
  return completed(object, { replicas: object.spec?.replicas ?? 1 }, { replicas: 0 })
}

/** A ReplicationController as an API server completes it: missing fields are derived from the template's labels. */
export function defaultReplicationController(object: ReplicationController): ReplicationController {
  const { replicas = 1, selector, template } = object.spec ?? {}
  const labels = template?.metadata?.labels
  const named = labels && !object.metadata.labels ? { metadata: { ...object.metadata, labels } } : {}
  const chosen = selector ?? labels
  return completed({ ...object, ...named }, { replicas, ...(chosen && { selector: chosen }) }, { replicas: 0 })
}

/** A StatefulSet as an API server completes it. */
export function defaultStatefulSet(object: StatefulSet): StatefulSet {
  const spec = object.spec ?? {}
  const claims = spec.volumeClaimTemplates?.map((claim) => ({
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    ...omit(defaultClaim(claim), 'kind', 'apiVersion'),
  }))
  return completed(
    object,
    {
      replicas: spec.replicas ?? 1,
      ...(claims && { volumeClaimTemplates: claims }),
      ...(spec.ordinals && { ordinals: { start: spec.ordinals.start ?? 0 } }),
      serviceName: spec.serviceName ?? '',
      podManagementPolicy: spec.podManagementPolicy ?? 'OrderedReady',
      updateStrategy: defaultStatefulUpdate(spec.updateStrategy ?? {}),
      revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
        ...spec.persistentVolumeClaimRetentionPolicy,
      },
    },
    { replicas: 0, availableReplicas: 0 },
  )
}

type StatefulUpdate = NonNullable<StatefulSet['spec']['updateStrategy']>

function defaultStatefulUpdate({ type, rollingUpdate: given }: StatefulUpdate): StatefulUpdate {
  // How many pods may be away at once needs a gate that is closed by default.
  const rollingUpdate = { partition: given?.partition ?? 0 }
  if (!type) return { type: 'RollingUpdate', rollingUpdate }
  if (type === 'RollingUpdate') return { type, ...(given && { rollingUpdate }) }
  return { type, ...(given && { rollingUpdate: given }) }
}

/** Annotation that counts the templates of a DaemonSet. Only the server changes it. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

function withTemplateGeneration(object: DaemonSet, generation: number): DaemonSet {
  const annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

const templateGenerationOf = ({ metadata }: DaemonSet): number =>
  Number.parseInt(metadata.annotations?.[TEMPLATE_GENERATION] ?? '', 10) || 0

/** A new DaemonSet is at its first template. */
export function startDaemonSet(object: DaemonSet): DaemonSet {
  return withTemplateGeneration(object, 1)
}

/** An update moves the count when the template changes, and in no other way. */
export function countTemplates(next: DaemonSet, old: DaemonSet): DaemonSet {
  const changed = !deepEqual(next.spec.template, old.spec.template)
  return withTemplateGeneration(next, templateGenerationOf(old) + Number(changed))
}

/** A write of the status does not move the count. */
export function keepTemplateGeneration(next: UnknownObject, old: UnknownObject): UnknownObject {
  const before = templateGenerationOf(old as unknown as DaemonSet)
  return withTemplateGeneration(next as unknown as DaemonSet, before) as unknown as UnknownObject
}

/** A DaemonSet as an API server completes it. */
export function defaultDaemonSet(daemonSet: DaemonSet): DaemonSet {
  const object = withTemplateGeneration(daemonSet, templateGenerationOf(daemonSet))
  const spec = object.spec ?? {}
  return completed(
    object,
    {
      updateStrategy: defaultDaemonUpdate(spec.updateStrategy ?? {}),
      revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
    },
    { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  )
}

type DaemonUpdate = NonNullable<DaemonSet['spec']['updateStrategy']>

function defaultDaemonUpdate(strategy: DaemonUpdate): DaemonUpdate {
  const type = strategy.type ?? 'RollingUpdate'
  if (type !== 'RollingUpdate') return { ...strategy, type }
  return { ...strategy, type, rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate } }
}

/** A Job as an API server completes it. Without completions and parallelism it runs one pod. */
export function defaultJob(object: Job): Job {
  const spec = object.spec ?? {}
  const labels = spec.template?.metadata?.labels
  const named = labels && !object.metadata.labels ? { metadata: { ...object.metadata, labels } } : {}
  const single = spec.completions === undefined && spec.parallelism === undefined
  // A template that is missing is an empty one.
  const template = spec.template ?? ({} as PodTemplate)
  return completed(
    { ...object, ...named, spec: { ...spec, template } },
    {
      parallelism: spec.parallelism ?? 1,
      ...(single ? { completions: 1 } : {}),
      backoffLimit: spec.backoffLimit ?? (spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647),
      completionMode: spec.completionMode ?? 'NonIndexed',
      manualSelector: spec.manualSelector ?? false,
      suspend: spec.suspend ?? false,
      podReplacementPolicy: spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'),
      ...(spec.podFailurePolicy && { podFailurePolicy: defaultFailurePolicy(spec.podFailurePolicy) }),
      ...(spec.successPolicy && { successPolicy: { ...spec.successPolicy, rules: spec.successPolicy.rules ?? null } }),
    },
  )
}

type FailurePolicy = NonNullable<Job['spec']['podFailurePolicy']>

/** A condition counts when it holds. The list of rules is always shown. */
function defaultFailurePolicy(policy: FailurePolicy): FailurePolicy {
  const rules = policy.rules?.map(({ onPodConditions, ...rule }) => ({
    ...rule,
    ...(onPodConditions && {
      onPodConditions: onPodConditions.map((one) => ({ ...one, status: one.status || 'True' })),
    }),
  }))
  return { ...policy, rules: (rules?.length ? rules : null) as FailurePolicy['rules'] }
}

/** A CronJob as an API server completes it. The jobs that it makes get the defaults of a Job when they are made. */
export function defaultCronJob(object: CronJob): CronJob {
  const spec = object.spec ?? {}
  const { metadata = {}, spec: job } = spec.jobTemplate ?? {}
  const template = job?.template && defaultTemplate(job.template)
  return {
    ...object,
    spec: {
      ...spec,
      concurrencyPolicy: spec.concurrencyPolicy ?? 'Allow',
      suspend: spec.suspend ?? false,
      jobTemplate: { metadata, spec: { ...job, ...(template && { template }) } as NonNullable<typeof job> },
      successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
      failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
    },
    status: object.status ?? {},
  }
}

/** A PodTemplate as an API server completes it. */
export function defaultStoredPodTemplate(object: StoredPodTemplate): StoredPodTemplate {
  return { ...object, template: defaultTemplate(object.template ?? { spec: {} as PodTemplate['spec'] }) }
}
