/** What kubectl's generators make, sent in the form that each of them chooses, and what kubectl then shows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KubectlServer, startKubectlServer } from './testing/kubectl'

let tool: KubectlServer
beforeAll(async () => {
  tool = await startKubectlServer()
})
afterAll(() => tool.close())

const calm = (text: string): string =>
  text
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/\b\d+s\b/g, 'AGE')

describe('kubectl create, then get', () => {
  test.each([
    ['job', 'j', ['--image=busybox', '--', 'date'], 'NAME STATUS COMPLETIONS DURATION AGE\nj Running 0/1 AGE'],
    [
      'cronjob',
      'c',
      ['--image=busybox', '--schedule=*/5 * * * *'],
      'NAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE\nc */5 * * * * <none> False 0 <none> AGE',
    ],
    [
      'ingress',
      'i',
      ['--class=nginx', '--rule=a.example.com/x*=svc:8080,tls=s'],
      'NAME CLASS HOSTS ADDRESS PORTS AGE\ni nginx a.example.com 80, 443 AGE',
    ],
    ['quota', 'q', ['--hard=cpu=1,pods=2'], 'NAME REQUEST LIMIT AGE\nq AGE'],
    [
      'pdb',
      'b',
      ['--selector=app=x', '--min-available=50%'],
      'NAME MIN AVAILABLE MAX UNAVAILABLE ALLOWED DISRUPTIONS AGE\nb 50% N/A 0 AGE',
    ],
    [
      'priorityclass',
      'p',
      ['--value=10', '--description=d'],
      'NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY\np 10 false AGE PreemptLowerPriority',
    ],
  ])('%s', async (kind, name, options, shown) => {
    await tool.kubectl(['create', kind, name, ...options])
    expect(calm(await tool.kubectl(['get', kind, name])).trim()).toBe(shown)
  })

  test('a job from a cronjob, which it names as its owner', async () => {
    await tool.kubectl(['create', 'cronjob', 'from', '--image=busybox', '--schedule=@daily'])
    await tool.kubectl(['create', 'job', 'by-hand', '--from=cronjob/from'])
    expect(await tool.kubectl(['get', 'job', 'by-hand', '-o', 'jsonpath={.metadata.ownerReferences[0].name}'])).toBe(
      'from',
    )
  })

  test('autoscale', async () => {
    await tool.kubectl(['create', 'deployment', 'web', '--image=nginx'])
    await tool.kubectl(['autoscale', 'deployment', 'web', '--min=2', '--max=5', '--cpu-percent=70'])
    const [, row = ''] = calm(await tool.kubectl(['get', 'hpa'])).split('\n')
    expect(row).toBe('web Deployment/web cpu: <unknown>/70% 2 5 0 AGE')
  })
})

describe('kubectl describe', () => {
  test.each([
    ['a claim', 'pvc', { kind: 'PersistentVolumeClaim', apiVersion: 'v1' }, /Status: +Pending/],
    [
      'a network policy',
      'netpol',
      { kind: 'NetworkPolicy', apiVersion: 'networking.k8s.io/v1' },
      /Policy Types: Ingress/,
    ],
    ['a limit range', 'limits', { kind: 'LimitRange', apiVersion: 'v1' }, /Container +cpu +- +1 +1 +1 +-/],
    ['a slice of endpoints', 'endpointslice', { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1' }, /IPv4/],
  ])('%s', async (_, word, identity, expected) => {
    const specs: Record<string, object> = {
      pvc: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      netpol: { spec: { podSelector: {} } },
      limits: { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
      endpointslice: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
    }
    await tool.kubectl(['apply', '-f', '-'], JSON.stringify({ ...identity, metadata: { name: 'x' }, ...specs[word] }))
    expect(await tool.kubectl(['describe', word, 'x'])).toMatch(expected)
  })
})

test('kubectl logs of a pod without a node prints nothing', async () => {
  await tool.kubectl(['run', 'po', '--image=nginx'])
  expect(await tool.kubectl(['logs', 'po'])).toBe('')
})

test('kubectl exec reports that there is no host', async () => {
  await expect(tool.kubectl(['exec', 'po', '--', 'ls'])).rejects.toThrow('does not have a host assigned')
})

test.each([
  ['port-forward', ['deploy/away', '18080:80']],
  ['exec', ['deploy/away', '--', 'ls']],
  ['logs', ['deploy/away']],
])('kubectl %s of a workload is refused at once where no pods run', async (command, args) => {
  await tool.kubectl(['create', 'deployment', 'away', '--image=nginx']).catch(() => undefined)
  await expect(tool.kubectl([command, ...args])).rejects.toThrow('connect to the pods in a member cluster')
})

test('kubectl rollout history finds none, as at a control plane of Karmada: members have the ReplicaSets', async () => {
  await tool.kubectl(['create', 'deployment', 'old', '--image=nginx'])
  expect(await tool.kubectl(['rollout', 'history', 'deploy/old'])).toBe(
    'deployment.apps/old \nNo rollout history found.\n',
  )
})

test('kubectl top reads the metrics API, which has none without members', async () => {
  expect(await tool.kubectl(['top', 'pods', '-n', 'kube-public'])).toContain('No resources found')
  expect(await tool.kubectl(['get', '--raw', '/apis/metrics.k8s.io/v1beta1/pods'])).toContain('"kind":"PodMetricsList"')
})
