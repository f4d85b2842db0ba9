/** The defaults of the kinds that make pods. */
import type { DaemonSet, Deployment, Job, PodTemplate, ReplicaSet, StatefulSet } from '../kinds'
import { defaultPodSpec } from './pod'

const REVISIONS = 10
const QUARTER = '25%'

function defaultTemplate(template: PodTemplate): PodTemplate {
  const { creationTimestamp: _, ...metadata } = template.metadata ?? {}
  return { metadata, spec: defaultPodSpec(template.spec ?? {}) }
}

/** A Deployment as an API server completes it. */
export function defaultDeployment(object: Deployment): Deployment {
  const spec = object.spec ?? {}
  return {
    ...object,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      ...(spec.template && { template: defaultTemplate(spec.template) }),
      strategy: defaultStrategy(spec.strategy ?? {}),
      revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
      progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
    },
    status: object.status ?? {},
  }
}

type Strategy = NonNullable<Deployment['spec']['strategy']>

function defaultStrategy(strategy: Strategy): Strategy {
  const type = strategy.type ?? 'RollingUpdate'
  if (type !== 'RollingUpdate') return { ...strategy, type }
  const { maxUnavailable = QUARTER, maxSurge = QUARTER } = strategy.rollingUpdate ?? {}
  return { ...strategy, type, rollingUpdate: { maxUnavailable, maxSurge } }
}

/** A ReplicaSet as an API server completes it; a missing selector is made from the template's labels. */
export function defaultReplicaSet(object: ReplicaSet): ReplicaSet {
  const spec = object.spec ?? {}
  const labels = spec.template?.metadata?.labels
  const selector = spec.selector ?? (labels && { matchLabels: labels })
  return {
    ...object,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      ...((selector && { selector }) as Pick<typeof spec, 'selector'>),
      ...(spec.template && { template: defaultTemplate(spec.template) }),
    },
    status: { replicas: 0, ...object.status },
  }
}

/** A StatefulSet as an API server completes it. */
export function defaultStatefulSet(object: StatefulSet): StatefulSet {
  const spec = object.spec ?? {}
  return {
    ...object,
    spec: {
      ...spec,
      replicas: spec.replicas ?? 1,
      ...(spec.template && { template: defaultTemplate(spec.template) }),
      podManagementPolicy: spec.podManagementPolicy ?? 'OrderedReady',
      updateStrategy: defaultStatefulUpdate(spec.updateStrategy ?? {}),
      revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: 'Retain',
        whenScaled: 'Retain',
        ...spec.persistentVolumeClaimRetentionPolicy,
      },
    },
    status: { replicas: 0, availableReplicas: 0, ...object.status },
  }
}

type StatefulUpdate = NonNullable<StatefulSet['spec']['updateStrategy']>

function defaultStatefulUpdate(strategy: StatefulUpdate): StatefulUpdate {
  const type = strategy.type ?? 'RollingUpdate'
  return type === 'RollingUpdate'
    ? { ...strategy, type, rollingUpdate: { partition: 0, ...strategy.rollingUpdate } }
    : { ...strategy, type }
}

/** A DaemonSet as an API server completes it. */
export function defaultDaemonSet(object: DaemonSet): DaemonSet {
  const spec = object.spec ?? {}
  return {
    ...object,
    spec: {
      ...spec,
      ...(spec.template && { template: defaultTemplate(spec.template) }),
      updateStrategy: defaultDaemonUpdate(spec.updateStrategy ?? {}),
      revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
    },
    status: {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
      ...object.status,
    },
  }
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
  const single = spec.completions === undefined && spec.parallelism === undefined
  return {
    ...object,
    spec: {
      ...spec,
      parallelism: spec.parallelism ?? 1,
      ...(single ? { completions: 1 } : {}),
      backoffLimit: spec.backoffLimit ?? 6,
      ...(spec.template && { template: defaultTemplate(spec.template) }),
      completionMode: spec.completionMode ?? 'NonIndexed',
      suspend: spec.suspend ?? false,
      podReplacementPolicy: spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'),
    },
    status: object.status ?? {},
  }
}
