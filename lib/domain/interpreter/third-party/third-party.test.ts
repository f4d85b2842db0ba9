/** Rules of kinds for which upstream ships scripts; the expected values are the results of those scripts. */
import { describe, expect, test } from 'vitest'
import type { UnknownObject } from '../../../kube/object'
import {
  aggregateStatus,
  hasHealthRule,
  InterpretError,
  interpretComponents,
  interpretDependencies,
  interpretHealth,
  interpretReplicas,
  type Manifest,
  reflectStatus,
  retainObserved,
  reviseReplicas,
} from '..'

const now = '2026-01-01T00:00:00Z'

function anObject(type: string, rest: { metadata?: object; [field: string]: unknown } = {}): UnknownObject {
  const at = type.lastIndexOf('/')
  const metadata = { name: 'x', namespace: 'shop', generation: 2, ...rest.metadata }
  return { apiVersion: type.slice(0, at), kind: type.slice(at + 1), ...rest, metadata } as unknown as UnknownObject
}

const pod = (cpu: string, memory: string) => ({
  spec: { containers: [{ name: 'c', resources: { requests: { cpu, memory } } }] },
})
const [small, large] = [pod('100m', '1Gi'), pod('2', '512Mi')]
const asked = (cpu: string, memory: string) => ({ resourceRequest: { cpu, memory } })

const CLONE_SET = 'apps.kruise.io/v1alpha1/CloneSet'
const ADVANCED = 'apps.kruise.io/v1beta1/StatefulSet'
const DAEMON_SET = 'apps.kruise.io/v1alpha1/DaemonSet'
const UNITED = 'apps.kruise.io/v1alpha1/UnitedDeployment'
const SIDECAR_SET = 'apps.kruise.io/v1alpha1/SidecarSet'
const BROADCAST = 'apps.kruise.io/v1alpha1/BroadcastJob'
const CRON = 'apps.kruise.io/v1alpha1/AdvancedCronJob'
const WORKFLOW = 'argoproj.io/v1alpha1/Workflow'
const RELEASE = 'helm.toolkit.fluxcd.io/v2beta1/HelmRelease'
const CHART = 'source.toolkit.fluxcd.io/v1beta2/HelmChart'
const OCI = 'source.toolkit.fluxcd.io/v1beta2/OCIRepository'
const GIT = 'source.toolkit.fluxcd.io/v1/GitRepository'
const POLICY = 'kyverno.io/v1/Policy'
const FLINK = 'flink.apache.org/v1beta1/FlinkDeployment'
const VOLCANO = 'batch.volcano.sh/v1alpha1/Job'
const SPARK = 'sparkoperator.k8s.io/v1beta2/SparkApplication'
const RAY_CLUSTER = 'ray.io/v1/RayCluster'
const RAY_JOB = 'ray.io/v1/RayJob'
const RAY_SERVICE = 'ray.io/v1/RayService'
const PYTORCH = 'kubeflow.org/v1/PyTorchJob'
const TENSORFLOW = 'kubeflow.org/v1/TFJob'
const MPI = 'kubeflow.org/v2beta1/MPIJob'
const NOTEBOOK = 'kubeflow.org/v1/Notebook'

const rolled = { observedGeneration: 2, updatedReplicas: 3, availableReplicas: 3 }
const condition = (type: string, status = 'True', reason = 'Succeeded') => ({ type, status, reason, message: 'm' })

describe('health', () => {
  test.each<[string, string, object, boolean]>([
    ['every replica is updated', CLONE_SET, { spec: { replicas: 3 }, status: rolled }, true],
    ['of an older generation', CLONE_SET, { spec: { replicas: 3 }, status: { observedGeneration: 1 } }, false],
    ['too few are updated', ADVANCED, { spec: { replicas: 4 }, status: rolled }, false],
    ['nothing reported', UNITED, { spec: {} }, false],
    [
      'updated on every node',
      DAEMON_SET,
      { status: { observedGeneration: 2, updatedNumberScheduled: 2, desiredNumberScheduled: 2, numberAvailable: 2 } },
      true,
    ],
    ['no pod to update', SIDECAR_SET, { status: { updatedPods: 1 } }, true],
    ['a pod failed', BROADCAST, { status: { desired: 2, failed: 1, succeeded: 1, active: 0 } }, false],
    ['running on nodes', BROADCAST, { status: { desired: 2, failed: 0, succeeded: 0, active: 2 } }, true],
    ['running', WORKFLOW, { status: { phase: 'Running' } }, true],
    ['without a phase', WORKFLOW, { status: {} }, false],
    ['reconciled', RELEASE, { status: { conditions: [condition('Ready', 'True', 'ReconciliationSucceeded')] } }, true],
    ['pulled', CHART, { status: { conditions: [condition('Ready', 'True', 'ChartPullSucceeded')] } }, true],
    ['pulled, which counts for charts only', GIT, { status: { conditions: [condition('Ready', 'True', 'X')] } }, false],
    ['ready by field', POLICY, { status: { ready: false, conditions: [condition('Ready')] } }, false],
    ['ready by condition', POLICY, { status: { conditions: [condition('Ready')] } }, true],
    ['a job that failed is over', FLINK, { status: { jobStatus: { state: 'FAILED' } } }, true],
    ['a job that cannot start', FLINK, { status: { jobStatus: { state: 'CREATED' } } }, false],
    [
      'a job whose image is missing, elsewhere as well',
      FLINK,
      { status: { jobStatus: { state: 'CREATED' }, error: 'x: ImagePullBackOff' } },
      true,
    ],
    ['aborted', VOLCANO, { status: { state: { phase: 'Aborted' } } }, true],
    ['failed', VOLCANO, { status: { state: { phase: 'Failed' } } }, false],
    ['submitted', SPARK, { status: { applicationState: { state: 'SUBMITTED' } } }, true],
    ['no state', SPARK, { status: {} }, false],
    [
      'provisioned without a failing replica',
      RAY_CLUSTER,
      { status: { conditions: [condition('HeadPodReady'), condition('RayClusterProvisioned')] } },
      true,
    ],
    [
      'complete, but not succeeded',
      RAY_JOB,
      { status: { jobDeploymentStatus: 'Complete', jobStatus: 'FAILED' } },
      false,
    ],
    ['ready', RAY_SERVICE, { status: { conditions: [condition('Ready')] } }, true],
    ['no conditions yet', TENSORFLOW, { status: {} }, false],
    ['not failed', PYTORCH, { status: { conditions: [condition('Running')] } }, true],
    ['an empty list', MPI, { status: { conditions: [] } }, false],
    [
      'its container starts',
      NOTEBOOK,
      { status: { containerState: { waiting: { reason: 'ContainerCreating' } } } },
      true,
    ],
    ['its container ended badly', NOTEBOOK, { status: { containerState: { terminated: { exitCode: 1 } } } }, false],
  ])('%s: %s', (_, type, rest, expected) => {
    expect(hasHealthRule(anObject(type))).toBe(true)
    expect(interpretHealth(anObject(type, rest as Record<string, unknown>))).toBe(expected)
  })

  test.each<[string, string, object]>([
    ['no status', CLONE_SET, { spec: { replicas: 1 } }],
    ['no spec', ADVANCED, { status: { observedGeneration: 2 } }],
    ['a number that is null', CLONE_SET, { spec: { replicas: 1 }, status: { ...rolled, updatedReplicas: null } }],
    ['no status of a job', BROADCAST, {}],
  ])('is unknown: %s of %s', (_, type, rest) => {
    expect(() => interpretHealth(anObject(type, rest as Record<string, unknown>))).toThrow(InterpretError)
  })
})

describe('replicas', () => {
  test.each<[string, object, object]>([
    [CLONE_SET, { replicas: 3, template: small }, { replicas: 3, requirements: asked('100m', '1Gi') }],
    [UNITED, { replicas: 2, template: {} }, { replicas: 2 }],
    [BROADCAST, { template: small }, { replicas: 1, requirements: asked('100m', '1Gi') }],
    [SIDECAR_SET, {}, { replicas: 0 }],
    [
      WORKFLOW,
      { parallelism: 2, nodeSelector: { zone: 'a' } },
      { replicas: 2, requirements: { nodeClaim: { nodeSelector: { zone: 'a' } } } },
    ],
    [NOTEBOOK, { template: small }, { replicas: 1, requirements: asked('100m', '1Gi') }],
    [
      FLINK,
      {
        jobManager: { replicas: 1, resource: { cpu: 1, memory: '1Gi' } },
        taskManager: { resource: { cpu: 0.5, memory: '2Gi' } },
        job: { parallelism: 5 },
        flinkConfiguration: { 'taskmanager.numberOfTaskSlots': '2' },
        podTemplate: { spec: { priorityClassName: 'high', tolerations: [] } },
      },
      { replicas: 4, requirements: { ...asked('1', '2Gi'), priorityClassName: 'high', namespace: 'shop' } },
    ],
    [
      RAY_SERVICE,
      {
        rayClusterConfig: { headGroupSpec: { template: small }, workerGroupSpecs: [{ replicas: 3, template: large }] },
      },
      { replicas: 4, requirements: asked('2', '1Gi') },
    ],
    [RAY_SERVICE, {}, { replicas: 0 }],
  ])('of %s %j', (type, spec, expected) => {
    expect(interpretReplicas(anObject(type, { spec }))).toEqual(expected)
  })

  test.each([
    ['null', { replicas: null, template: small }],
    ['absent', { template: small }],
    ['of no template', { replicas: 1 }],
  ])('with %s are an error', (_, spec) => {
    expect(() => interpretReplicas(anObject(CLONE_SET, { spec }))).toThrow(InterpretError)
  })

  const service = (...workers: (number | undefined)[]) =>
    anObject(RAY_SERVICE, {
      spec: {
        rayClusterConfig: { workerGroupSpecs: workers.map((replicas, at) => ({ groupName: `g${at}`, replicas })) },
      },
    }) as unknown as Manifest
  const sharesOf = (manifest: Manifest): unknown[] =>
    (
      manifest.spec as { rayClusterConfig: { workerGroupSpecs: { replicas: number }[] } }
    ).rayClusterConfig.workerGroupSpecs.map(({ replicas }) => replicas)

  test.each([
    ['one group takes all but the head', [3], 7, [6]],
    ['several keep their proportion', [2, 4], 10, [3, 6]],
    ['none has any: evenly', [0, 0, 0], 6, [2, 2, 1]],
    ['none is left', [2, 4], 1, [0, 0]],
    ['the last takes what rounding leaves', [1, 1, 1], 5, [1, 1, 2]],
  ])('of a RayService are divided: %s', (_, before, replicas, expected) => {
    expect(sharesOf(reviseReplicas(service(...before), replicas))).toEqual(expected)
  })

  test('are written to the field of the kind', () => {
    const revised = (type: string) => reviseReplicas(anObject(type, { spec: {} }) as unknown as Manifest, 5).spec
    expect([revised(CLONE_SET), revised(BROADCAST), revised(WORKFLOW)]).toEqual([
      { replicas: 5 },
      { parallelism: 5 },
      { parallelism: 5 },
    ])
  })
})

describe('components', () => {
  const head = { name: 'ray-head', replicas: 1, replicaRequirements: asked('100m', '1Gi') }
  const cluster = {
    headGroupSpec: { template: small },
    workerGroupSpecs: [{ groupName: 'gpu', replicas: 2, template: large }, { replicas: 0 }],
  }
  test.each<[string, object, object[]]>([
    [
      FLINK,
      {
        jobManager: { resource: { cpu: 0.05, memory: '100m' } },
        taskManager: { replicas: 2, resource: { memory: '1024m' } },
        podTemplate: { spec: { nodeSelector: { zone: 'a' } } },
      },
      [
        {
          name: 'jobmanager',
          replicas: 1,
          replicaRequirements: { ...asked('50m', '100m'), nodeClaim: { nodeSelector: { zone: 'a' } } },
        },
        {
          name: 'taskmanager',
          replicas: 2,
          replicaRequirements: { resourceRequest: { memory: '1024m' }, nodeClaim: { nodeSelector: { zone: 'a' } } },
        },
      ],
    ],
    [
      VOLCANO,
      { tasks: [{ name: 'ps', minAvailable: 2, template: small }, { template: {} }] },
      [
        { name: 'ps', replicas: 2, replicaRequirements: asked('100m', '1Gi') },
        { name: 'task-1', replicas: 1 },
      ],
    ],
    [VOLCANO, {}, []],
    [
      SPARK,
      {
        type: 'Scala',
        driver: { cores: 2, memory: '4g', gpu: { name: 'nvidia.com/gpu', quantity: 1 } },
        executor: { instances: 2, memory: '512m', memoryOverhead: '1g' },
        dynamicAllocation: { enabled: true, minExecutors: 5 },
      },
      [
        {
          name: 'driver',
          replicas: 1,
          // 4 GiB and a tenth of it.
          replicaRequirements: { resourceRequest: { cpu: '2', memory: '4724464025600m', 'nvidia.com/gpu': '1' } },
        },
        { name: 'executor', replicas: 5, replicaRequirements: asked('1', '1536Mi') },
      ],
    ],
    [
      SPARK,
      { type: 'Python', driver: {}, executor: { tolerations: [{ operator: 'Exists' }] } },
      [
        // 1 GiB and four tenths of it, formatted with six decimals of MiB.
        { name: 'driver', replicas: 1, replicaRequirements: asked('1', '1503238553600m') },
        {
          name: 'executor',
          replicas: 1,
          replicaRequirements: {
            ...asked('1', '1503238553600m'),
            nodeClaim: { tolerations: [{ operator: 'Exists' }] },
          },
        },
      ],
    ],
    [
      RAY_CLUSTER,
      cluster,
      [head, { name: 'gpu', replicas: 2, replicaRequirements: asked('2', '512Mi') }, { name: 'worker-2', replicas: 0 }],
    ],
    [RAY_JOB, { rayClusterSpec: { headGroupSpec: { template: small } } }, [head]],
    [
      PYTORCH,
      { pytorchReplicaSpecs: { Worker: { replicas: 2, template: small }, Master: {} } },
      [
        { name: 'master', replicas: 1 },
        { name: 'worker', replicas: 2, replicaRequirements: asked('100m', '1Gi') },
      ],
    ],
    [
      TENSORFLOW,
      { tfReplicaSpecs: { Evaluator: {}, PS: { replicas: '3' } } },
      [
        { name: 'ps', replicas: 3 },
        { name: 'evaluator', replicas: 1 },
      ],
    ],
    [
      MPI,
      { mpiReplicaSpecs: { Worker: { template: {} }, Launcher: { template: small } } },
      [
        { name: 'Launcher', replicas: 1, replicaRequirements: asked('100m', '1Gi') },
        { name: 'Worker', replicas: 0 },
      ],
    ],
  ])('of %s', (type, spec, expected) => {
    expect(interpretComponents(anObject(type, { spec }))).toEqual(expected)
  })

  test('of a workload with one template are undefined', () => {
    expect(interpretComponents(anObject('apps/v1/Deployment', { spec: {} }))).toBeUndefined()
  })

  test('of a Spark application in an unknown unit are an error', () => {
    const spec = { type: 'Java', driver: { memory: '512' } }
    expect(() => interpretComponents(anObject(SPARK, { spec }))).toThrow(InterpretError)
  })
})

describe('the collected status', () => {
  const metadata = { annotations: { 'resourcetemplate.karmada.io/generation': '7' } }
  test.each<[string, object, object]>([
    [
      CLONE_SET,
      { replicas: 1, labelSelector: 'a=b', readyReplicas: null, other: 1 },
      { replicas: 1, labelSelector: 'a=b', generation: 2, resourceTemplateGeneration: 7 },
    ],
    [SIDECAR_SET, { readyPods: 2, other: 1 }, { matchedPods: 0, updatedPods: 0, readyPods: 2 }],
    [
      GIT,
      { artifact: { url: 'u' }, conditions: [], url: 'x' },
      { artifact: { url: 'u' }, generation: 2, resourceTemplateGeneration: 7 },
    ],
    [FLINK, { error: '', jobStatus: {}, other: 1 }, { error: '' }],
    [VOLCANO, { state: { phase: 'Running' }, running: 1, other: 1 }, { state: { phase: 'Running' }, running: 1 }],
    [
      MPI,
      { replicaStatuses: { Worker: { active: 1, labelSelector: {} } } },
      { replicaStatuses: { Worker: { active: 1 } } },
    ],
    [NOTEBOOK, { containerState: {} }, { readyReplicas: 0 }],
    // No rule: the complete status.
    [RAY_CLUSTER, { state: 'ready' }, { state: 'ready' }],
  ])('of %s', (type, status, expected) => {
    expect(reflectStatus(anObject(type, { metadata, status }))).toEqual(expected)
  })
})

type Items = { clusterName: string; status?: Record<string, unknown> }[] | undefined

function aggregate(
  type: string,
  items: Items,
  { likeUpstream = false, status }: { likeUpstream?: boolean; status?: object } = {},
) {
  return aggregateStatus(anObject(type, { ...(status && { status }) }), items, { now, likeUpstream })
}

const both = (a: Record<string, unknown>, b: Record<string, unknown>): Items => [
  { clusterName: 'm1', status: a },
  { clusterName: 'm2', status: b },
]

describe('the status of a template', () => {
  const seen = { generation: 1, observedGeneration: 1, resourceTemplateGeneration: 2 }

  test('sums numbers, takes the last revisions, and is observed once all members are', () => {
    const items = both({ ...seen, replicas: 2, updateRevision: 'a' }, { ...seen, replicas: 1, updateRevision: '' })
    expect(aggregate(CLONE_SET, items, { status: { collisionCount: 1, labelSelector: 'old' } })).toEqual({
      collisionCount: 1,
      replicas: 3,
      readyReplicas: 0,
      updatedReplicas: 0,
      availableReplicas: 0,
      updatedReadyReplicas: 0,
      expectedUpdatedReplicas: 0,
      updateRevision: 'a',
      currentRevision: '',
      labelSelector: '',
      observedGeneration: 2,
    })
    expect(aggregate(CLONE_SET, [...items!, { clusterName: 'm3' }])).toMatchObject({ observedGeneration: 0 })
  })

  test('of a CloneSet without collected status keeps its revisions, that of a StatefulSet does not', () => {
    const status = { updateRevision: 'a', replicas: 3 }
    expect(aggregate(CLONE_SET, undefined, { status })).toMatchObject({
      updateRevision: 'a',
      replicas: 0,
      observedGeneration: 2,
    })
    expect(aggregate(CLONE_SET, undefined)).not.toHaveProperty('labelSelector')
    expect(aggregate(ADVANCED, undefined, { status })).toMatchObject({ updateRevision: '', replicas: 0 })
    expect(aggregate(VOLCANO, undefined, { status })).toBe(status)
  })

  test('merges conditions of a Flux kind, with the members in their messages', () => {
    const items = both(
      { ...seen, conditions: [condition('Ready')], url: 'a' },
      { ...seen, conditions: [condition('Ready'), condition('Ready', 'False')] },
    )
    expect(aggregate(OCI, items)).toEqual({
      url: 'a',
      observedGeneration: 2,
      conditions: [
        { ...condition('Ready'), message: 'm1=m, m2=m' },
        { ...condition('Ready', 'False'), message: 'm2=m' },
      ],
    })
  })

  test('counts the failures of a HelmRelease once, except in upstream mode', () => {
    const items = both({ failures: 1 }, { failures: 2 })
    expect(aggregate(RELEASE, items, { status: { failures: 3 } })).toMatchObject({ failures: 3 })
    expect(aggregate(RELEASE, items)).toMatchObject({ failures: 3 })
    expect(aggregate(RELEASE, items, { status: { failures: 3 }, likeUpstream: true })).toMatchObject({ failures: 6 })
    expect(aggregate(RELEASE, items, { likeUpstream: true })).not.toHaveProperty('failures')
  })

  test('of a BroadcastJob is complete when all are, except in upstream mode', () => {
    const items = both({ conditions: [condition('Complete')], succeeded: 1 }, { active: 1, phase: 'running' })
    expect(aggregate(BROADCAST, items)).toEqual({ active: 1, succeeded: 1, failed: 0, desired: 0, phase: 'running' })
    expect(aggregate(BROADCAST, items, { likeUpstream: true })).toMatchObject({
      conditions: [{ type: 'Completed', status: 'True', reason: 'Completed', message: 'Job completed' }],
    })
  })

  test('of several kinds is the report of a single member', () => {
    const status = { state: { phase: 'Running' }, conditions: [] }
    for (const type of [VOLCANO, SPARK, RAY_CLUSTER, RAY_JOB, RAY_SERVICE, MPI, NOTEBOOK]) {
      expect(aggregate(type, [{ clusterName: 'm1', status }])).toEqual({ state: { phase: 'Running' } })
    }
  })

  test.each<[string, Items, object]>([
    [
      UNITED,
      both({ conditions: [condition('A')] }, { conditions: [condition('A', 'False')], replicas: 1 }),
      { replicas: 1, conditions: [condition('A', 'False')] },
    ],
    [
      DAEMON_SET,
      both({ numberReady: 1, daemonSetHash: 'h' }, { numberReady: 1 }),
      { numberReady: 2, daemonSetHash: 'h' },
    ],
    [SIDECAR_SET, both({ readyPods: 1 }, { readyPods: 2 }), { readyPods: 3, matchedPods: 0 }],
    [
      CRON,
      both({ active: [{ name: 'a' }], type: 'Job' }, { active: [{ name: 'b' }] }),
      { active: [{ name: 'a' }, { name: 'b' }], type: 'Job' },
    ],
    [
      POLICY,
      both({ ready: true, rulecount: { validate: 1 } }, { rulecount: { validate: 2, mutate: 1 } }),
      { ready: true, rulecount: { validate: 3, generate: 0, mutate: 1, verifyimages: 0 } },
    ],
    [FLINK, both({ lifecycleState: 'STABLE', error: 'e' }, { lifecycleState: 'FAILED' }), { lifecycleState: 'FAILED' }],
    [
      VOLCANO,
      both(
        {
          running: 1,
          runningDuration: '1m',
          taskStatusCount: { ps: { phase: { Running: 1 } } },
          conditions: [{ status: 'Running', lastTransitionTime: '1' }],
        },
        {
          running: 2,
          runningDuration: '50s',
          taskStatusCount: { ps: { phase: { Running: 2 } } },
          conditions: [{ status: 'Running', lastTransitionTime: '2' }],
          state: { phase: 'Aborted' },
        },
      ),
      {
        running: 3,
        runningDuration: '1m',
        taskStatusCount: { ps: { phase: { Running: 3 } } },
        conditions: [{ status: 'Running', lastTransitionTime: '2' }],
        state: {
          phase: 'Failed',
          reason: 'VolcanoJobFailed',
          message: 'Job failed in clusters: m2',
          lastTransitionTime: now,
        },
      },
    ],
    [
      SPARK,
      both(
        { applicationState: { state: 'RUNNING' }, executionAttempts: 1, terminationTime: '2' },
        { applicationState: { state: 'COMPLETED' }, executionAttempts: 1, terminationTime: '1' },
      ),
      {
        applicationState: { state: 'RUNNING' },
        executionAttempts: 2,
        submissionAttempts: 0,
        terminationTime: '2',
        lastSubmissionAttemptTime: '',
      },
    ],
    [
      RAY_CLUSTER,
      both(
        { desiredCPU: '1500m', desiredMemory: '1Gi', desiredGPU: '1', state: 'ready' },
        { desiredCPU: '1', desiredMemory: '1Gi', readyWorkerReplicas: 2 },
      ),
      {
        desiredCPU: '2500m',
        desiredMemory: '2Gi',
        desiredGPU: '1',
        desiredTPU: '0',
        readyWorkerReplicas: 2,
        state: 'ready',
      },
    ],
    [
      RAY_JOB,
      both(
        { jobDeploymentStatus: 'Running', jobStatus: 'RUNNING', message: 'a' },
        { jobDeploymentStatus: 'Failed', jobStatus: '', message: 'b' },
      ),
      { jobDeploymentStatus: 'Failed', jobStatus: 'RUNNING', message: 'b' },
    ],
    [
      RAY_SERVICE,
      both(
        {
          activeServiceStatus: { rayClusterName: 'a', applicationStatuses: { app: { status: 'RUNNING' } } },
          numServeEndpoints: 1,
        },
        {
          activeServiceStatus: { applicationStatuses: { app: { status: 'UNHEALTHY' } } },
          numServeEndpoints: 1,
          observedGeneration: 3,
        },
      ),
      {
        activeServiceStatus: { rayClusterName: 'a', applicationStatuses: { app: { status: 'UNHEALTHY' } } },
        numServeEndpoints: 2,
        observedGeneration: 3,
        serviceStatus: 'Running',
      },
    ],
    [
      PYTORCH,
      both(
        {
          startTime: '1',
          completionTime: '5',
          conditions: [condition('Created'), condition('Succeeded')],
          replicaStatuses: { Worker: { succeeded: 1 } },
        },
        {
          startTime: '2',
          completionTime: '6',
          conditions: [condition('Failed')],
          replicaStatuses: { Worker: { failed: 1 } },
        },
      ),
      {
        startTime: '1',
        replicaStatuses: { Worker: { succeeded: 1, failed: 1 } },
        conditions: [
          {
            type: 'Created',
            status: 'True',
            reason: 'PyTorchJobCreated',
            message: 'PyTorchJob is created.',
            lastUpdateTime: '1',
            lastTransitionTime: '1',
          },
          {
            type: 'Failed',
            status: 'True',
            reason: 'PyTorchJobFailed',
            message: 'PyTorchJob executed failed in member clusters: m2',
            lastUpdateTime: '6',
            lastTransitionTime: '6',
          },
        ],
      },
    ],
    [
      TENSORFLOW,
      both(
        { completionTime: '1', conditions: [condition('Succeeded')] },
        { completionTime: '2', conditions: [condition('Succeeded')] },
      ),
      {
        completionTime: '2',
        conditions: [
          {
            type: 'Succeeded',
            status: 'True',
            reason: 'Completed',
            message: 'TFJob completed successfully',
            lastProbeTime: now,
            lastTransitionTime: now,
          },
        ],
      },
    ],
    [
      MPI,
      both(
        {
          startTime: '2',
          replicaStatuses: { Worker: { active: 0 } },
          conditions: [{ type: 'Running', lastUpdateTime: '1' }],
        },
        { startTime: '1', conditions: [{ type: 'Running', lastUpdateTime: '2' }] },
      ),
      {
        startTime: '1',
        replicaStatuses: { Worker: { active: 0 } },
        conditions: [{ type: 'Running', lastUpdateTime: '2' }],
      },
    ],
    [
      NOTEBOOK,
      both(
        { readyReplicas: 1, containerState: { running: { startedAt: '1' } } },
        { readyReplicas: 1, containerState: { running: { startedAt: '2' } } },
      ),
      {
        readyReplicas: 2,
        containerState: { running: { startedAt: '2' } },
        conditions: [
          {
            ...condition('Ready', 'True', 'Ready'),
            message: 'All notebooks are ready',
            lastProbeTime: now,
            lastTransitionTime: now,
          },
        ],
      },
    ],
    [
      NOTEBOOK,
      both({ containerState: { running: {} } }, { containerState: {} }),
      {
        containerState: { waiting: { reason: 'Unschedulable' } },
        conditions: [{ type: 'Failed', message: 'Notebook executed failed in member clusters: m2' }],
      },
    ],
  ])('of %s', (type, items, expected) => {
    expect(aggregate(type, items)).toMatchObject(expected)
    expect(aggregate(type, items, { status: aggregate(type, items) as object })).toEqual(aggregate(type, items))
  })

  test('keeps the time of a condition that is still true', () => {
    const items = both({ conditions: [condition('Succeeded')] }, { conditions: [condition('Succeeded')] })
    const before = aggregate(TENSORFLOW, items) as object
    const later = { now: '2027-01-01T00:00:00Z' }
    expect(aggregateStatus(anObject(TENSORFLOW, { status: before }), items, later)).toEqual(before)
  })
})

describe('a member retains', () => {
  const kept = (type: string, wanted: object, observed: object) =>
    retainObserved(
      anObject(type, wanted as Record<string, unknown>) as unknown as Manifest,
      anObject(type, observed as Record<string, unknown>),
    )

  test('its suspension', () => {
    expect(kept(RELEASE, { spec: { suspend: false } }, { spec: { suspend: true } }).spec).toEqual({ suspend: true })
    expect(kept(WORKFLOW, { spec: {} }, { spec: {}, status: { phase: 'Running' } })).toMatchObject({
      status: { phase: 'Running' },
    })
  })

  test('the labels that its controller set on pods', () => {
    const template = (labels: object) => ({ spec: { template: { metadata: { labels } } } })
    expect(kept(BROADCAST, template({ a: '1' }), template({ a: '1', job: 'x' }))).toMatchObject(template({ job: 'x' }))
  })
})

describe('dependencies', () => {
  const mounting = (configMap: string, serviceAccountName?: string) => ({
    spec: { volumes: [{ configMap: { name: configMap } }], ...(serviceAccountName && { serviceAccountName }) },
  })
  test.each<[string, object, string[]]>([
    [CLONE_SET, { template: mounting('a', 'robot') }, ['ConfigMap/a', 'ServiceAccount/robot']],
    [SIDECAR_SET, mounting('a', 'robot').spec, ['ConfigMap/a']],
    [CRON, { template: { jobTemplate: { spec: { template: mounting('a') } } } }, ['ConfigMap/a']],
    [
      WORKFLOW,
      {
        executor: { serviceAccountName: 'e' },
        serviceAccountName: 'default',
        volumeClaimTemplates: [{ metadata: { name: 'w' } }],
        ...mounting('a').spec,
      },
      ['ConfigMap/a', 'PersistentVolumeClaim/w', 'ServiceAccount/e'],
    ],
    [
      RELEASE,
      {
        valuesFrom: [
          { kind: 'Secret', name: 's' },
          { kind: 'ConfigMap', name: 'c' },
        ],
        chart: { spec: { verify: { secretRef: { name: 'v' } } } },
        serviceAccountName: 'sa',
      },
      ['ConfigMap/c', 'Secret/s', 'Secret/v', 'ServiceAccount/sa'],
    ],
    [OCI, { secretRef: { name: 's' }, certSecretRef: { name: 'c' } }, ['Secret/c', 'Secret/s']],
    [
      RAY_JOB,
      { rayClusterSpec: { headGroupSpec: { template: mounting('a') } }, submitterPodTemplate: mounting('b') },
      ['ConfigMap/a', 'ConfigMap/b'],
    ],
    [RAY_SERVICE, { rayClusterConfig: { workerGroupSpecs: [{ template: mounting('a') }] } }, ['ConfigMap/a']],
    [
      TENSORFLOW,
      { tfReplicaSpecs: { PS: { template: mounting('a') }, Worker: { template: mounting('a') } } },
      ['ConfigMap/a'],
    ],
  ])('of %s', (type, spec, expected) => {
    expect(interpretDependencies(anObject(type, { spec }))?.map(({ kind, name }) => `${kind}/${name}`)).toEqual(
      expected,
    )
  })
})
