/**
 * Numbers at their limits in every field that a tenant may write: the process keeps running, restarts, and deletes
 * them.
 */
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { kubectlFor } from './support/kubectl'
import { type Product, startProduct } from './support/product'

const INT32 = 2 ** 31 - 1
const meta = (name: string) => ({ name, namespace: 'default', labels: { poison: 'yes' } })
const labels = { app: 'poison' }
const selector = { matchLabels: labels }
const pod = (more: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'poison:1' }], ...more },
})
const once = pod({ restartPolicy: 'Never' })

/** Objects that a tenant may write, and the forbidden effect. */
const POISON: Readonly<Record<string, object>> = {
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta('deployment'),
    spec: {
      replicas: INT32,
      selector,
      minReadySeconds: INT32 - 1,
      progressDeadlineSeconds: INT32,
      revisionHistoryLimit: INT32,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '2147483647%', maxUnavailable: INT32 } },
      template: pod({ terminationGracePeriodSeconds: INT32 }),
    },
  },
  statefulset: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: meta('statefulset'),
    spec: {
      replicas: INT32,
      serviceName: 'poison',
      podManagementPolicy: 'Parallel',
      selector,
      ordinals: { start: INT32 },
      template: pod(),
    },
  },
  cloneset: {
    apiVersion: 'apps.kruise.io/v1alpha1',
    kind: 'CloneSet',
    metadata: meta('cloneset'),
    spec: {
      replicas: INT32,
      selector,
      template: pod(),
      updateStrategy: { maxUnavailable: '2147483647%', partition: INT32 },
    },
  },
  job: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta('job'),
    spec: { parallelism: INT32, completions: 100_000, completionMode: 'Indexed', backoffLimit: INT32, template: once },
  },
  plainjob: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta('plainjob'),
    spec: { parallelism: INT32, completions: INT32, ttlSecondsAfterFinished: INT32, template: once },
  },
  cronjob: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: meta('cronjob'),
    spec: {
      schedule: '@every 999999999999999h',
      startingDeadlineSeconds: 9_007_199_254_740_991,
      successfulJobsHistoryLimit: INT32,
      jobTemplate: { spec: { parallelism: INT32, template: once } },
    },
  },
  autoscaler: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: meta('autoscaler'),
    spec: {
      minReplicas: INT32,
      maxReplicas: INT32,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'deployment' },
    },
  },
  policy: {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: meta('policy'),
    spec: {
      priority: INT32,
      propagateDeps: true,
      resourceSelectors: [
        // Others are held to the same limit by server/members/pod-limits.test.ts; a thousand pods each cost time here.
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'batch/v1', kind: 'Job', name: 'plainjob' },
        { apiVersion: 'batch/v1', kind: 'CronJob' },
        { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
      ],
      failover: {
        application: {
          decisionConditions: { tolerationSeconds: INT32 },
          gracePeriodSeconds: INT32,
          purgeMode: 'Graciously',
        },
      },
      placement: {
        clusterTolerations: [{ operator: 'Exists', tolerationSeconds: 9_007_199_254_740_991 }],
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: {
            staticWeightList: [{ targetCluster: { clusterNames: ['member1'] }, weight: 9_007_199_254_740_991 }],
          },
        },
      },
    },
  },
  rebalancer: {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: 'poison', labels: { poison: 'yes' } },
    spec: {
      ttlSecondsAfterFinished: INT32,
      workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'deployment' }],
    },
  },
  priority: {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'poison', labels: { poison: 'yes' } },
    value: 1_000_000_000,
  },
}

const KINDS =
  'deployments,statefulsets,clonesets,jobs,cronjobs,hpa,propagationpolicies,workloadrebalancers,priorityclasses'

test('the process survives numbers at their limits, restarts with each of them, reports and deletes them', async ({
  product,
  kubectl,
}) => {
  test.setTimeout(300_000)
  await startMembers(kubectl, ['member1', { nodes: 1 }])
  let running: Product = product
  const accepted: string[] = []
  for (const [name, object] of Object.entries(POISON)) {
    const refusal = await kubectlFor(running.kubeconfig)
      .apply(JSON.stringify(object))
      .then(() => undefined, String)
    // A refused object is harmless; the response names the field.
    if (refusal !== undefined) {
      expect(refusal).toMatch(/invalid|Invalid/)
      continue
    }
    accepted.push(name)
    await running.kill()
    running = await startProduct({ dataDir: product.dataDir, flags: ['--no-demo'] })
  }
  expect(accepted).toEqual(expect.arrayContaining(['deployment', 'policy', 'cloneset', 'plainjob', 'rebalancer']))

  const after = kubectlFor(running.kubeconfig)
  const conditions = "jsonpath={.status.conditions[?(@.type=='ReplicaFailure')].message}"
  await expect
    .poll(
      // The member itself may still be starting.
      () =>
        after
          .inMember('member1', ['get', 'deployment', 'deployment', '--ignore-not-found', '-o', conditions])
          .catch(String),
      { timeout: 120_000 },
    )
    .toContain('at most 1000 pods per workload')
  const about = (await (await fetch(`${running.url}/api/v1/about`)).json()) as {
    troubled: { key: string; cause: string }[]
  }
  test.info().annotations.push({ type: 'failing objects', description: JSON.stringify(about.troubled) })
  await after.run(['delete', KINDS, '-l', 'poison=yes', '--all-namespaces', '--timeout=120s'])
  await expect
    .poll(async () => (await after.json<{ items: unknown[] }>(['get', 'resourcebindings', '-A'])).items, {
      timeout: 120_000,
    })
    .toEqual([])
  expect(await after.run(['get', KINDS, '-A', '-l', 'poison=yes', '--ignore-not-found'])).not.toContain('poison')
})
