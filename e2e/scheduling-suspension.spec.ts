import { readFileSync } from 'node:fs'
import { queued } from './scenarios/queues'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }

interface Binding {
  spec: { suspension?: { scheduling?: boolean }; clusters?: object[] }
  metadata: { uid: string }
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] }
}
const bindingOf = (kubectl: Kubectl, name: string) => kubectl.json<Binding>(['get', 'rb', `${name}-deployment`])
const suspended = async (kubectl: Kubectl, name: string): Promise<string> => {
  const condition = (await bindingOf(kubectl, name)).status?.conditions?.find(
    ({ type }) => type === 'SchedulingSuspended',
  )
  return condition ? `${condition.status} ${condition.reason}: ${condition.message}` : ''
}
const setPolicy = (kubectl: Kubectl, name: string, suspension: string) =>
  kubectl.run(['patch', 'propagationpolicy', name, '--type=merge', '-p', `{"spec":{"suspension":${suspension}}}`])

test('scheduling is suspended by a policy and by a user, and both are named until it is resumed', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')

  await test.step('a policy suspends: the binding, kubectl and the page name it', async () => {
    await kubectl.apply(
      queued({ namespace: 'default', name: 'web' }).replace(
        'placement:',
        'suspension: { scheduling: true }\n  placement:',
      ),
    )
    await expect
      .poll(() => suspended(kubectl, 'web').catch(() => ''), WAIT)
      .toMatch(/^True SuspendedByPolicy: Scheduling has been suspended by PropagationPolicy default\/web since /)
    expect(await kubectl.run(['get', 'rb'])).toMatch(
      /^NAME +SCHEDULED +FULLYAPPLIED +SUSPENDED +AGE\nweb-deployment +true /,
    )
    await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb`)
    await expect(
      page.getByText(say()('suspension.byPolicy', { policy: 'PropagationPolicy default/web' })).first(),
    ).toBeVisible(WAIT)
    await expect(page.getByRole('button', { name: say()('suspension.resume.open') })).toBeDisabled()
  })

  await test.step('it is not resumed past the policy, and is suspended again after a deletion', async () => {
    const patch = [
      'patch',
      'rb',
      'web-deployment',
      '--type=merge',
      '-p',
      '{"spec":{"suspension":{"scheduling":false}}}',
    ]
    expect((await kubectl.tryRun(patch)).stderr).toContain(
      'PropagationPolicy default/web suspends the scheduling of this binding',
    )
    const {
      metadata: { uid },
    } = await bindingOf(kubectl, 'web')
    await kubectl.run(['delete', 'rb', 'web-deployment'])
    await expect
      .poll(async () => {
        const binding = await kubectl.find<Binding>(['rb', 'web-deployment'])
        return binding && [binding.metadata.uid !== uid, binding.spec.suspension?.scheduling, binding.spec.clusters]
      }, WAIT)
      .toEqual([true, true, undefined])
  })

  await test.step('values that are not true are refused', async () => {
    for (const field of ['dispatching', 'scheduling']) {
      const patch = [
        'patch',
        'propagationpolicy',
        'web',
        '--type=merge',
        '-p',
        `{"spec":{"suspension":{"${field}":false}}}`,
      ]
      expect((await kubectl.tryRun(patch)).stderr).toContain(`spec.suspension.${field}: Unsupported value: false`)
    }
  })

  await test.step('lifted, it is scheduled; kubectl waits for it; suspending it again is too late', async () => {
    await setPolicy(kubectl, 'web', 'null')
    expect(await kubectl.run(['wait', '--for=condition=Available', 'deployment/web', '--timeout=60s'])).toContain(
      'condition met',
    )
    expect(await kubectl.run(['rollout', 'status', 'deployment/web', '--timeout=60s'])).toContain(
      'successfully rolled out',
    )
    await expect.poll(() => suspended(kubectl, 'web'), WAIT).toMatch(/^False Resumed/)
    await setPolicy(kubectl, 'web', '{"scheduling":true}')
    await expect
      .poll(() => kubectl.run(['get', 'events', '-o', 'jsonpath={.items[*].reason}']), WAIT)
      .toContain('SuspensionIgnored')
    expect((await bindingOf(kubectl, 'web')).spec.suspension?.scheduling).toBeUndefined()
  })

  await test.step('a user who suspends with kubectl is named', async () => {
    await kubectl.apply(queued({ namespace: 'default', name: 'huge', cpu: '100000' }))
    await expect.poll(() => kubectl.find(['rb', 'huge-deployment']), WAIT).toBeDefined()
    await kubectl.run([
      'patch',
      'rb',
      'huge-deployment',
      '--type=merge',
      '-p',
      '{"spec":{"suspension":{"scheduling":true}}}',
    ])
    await expect
      .poll(() => suspended(kubectl, 'huge'), WAIT)
      .toMatch(/^True Suspended: Scheduling has been suspended by \S+ \(kubectl-patch\) since /)
  })

  await test.step('a rebalancer without served kinds finds nothing, and its columns show it', async () => {
    const target = (apiVersion: string, kind: string): string =>
      `    - { apiVersion: ${apiVersion}, kind: ${kind}, name: web, namespace: default }`
    await kubectl.apply(
      `apiVersion: apps.karmada.io/v1alpha1\nkind: WorkloadRebalancer\nmetadata: { name: wrong }\nspec:\n  workloads:\n${[
        target('apps/v9', 'Deployment'),
        target('apps/v1', 'deployment'),
        target('apps/v1', 'Deployment'),
      ].join('\n')}\n`,
    )
    await expect
      .poll(() => kubectl.run(['get', 'workloadrebalancer', 'wrong']), WAIT)
      .toMatch(/^NAME +WORKLOADS +SUCCESSFUL +FAILED +FINISHED +AGE\nwrong +3 +1 +2 +\d+s ago/)
  })

  await test.step('namespaces have their account, fields their descriptions, and pods refuse to be reached', async () => {
    expect(await kubectl.run(['get', 'serviceaccount', 'default'])).toContain('default')
    expect(await kubectl.run(['explain', 'propagationpolicy.spec.suspension.scheduling'])).toContain(
      'suspends scheduling',
    )
    const [pod] = await kubectl.memberPods('member1', 'default', 'web')
    const reach = (verb: readonly string[]) =>
      kubectl.inMember('member1', [verb[0]!, (pod as { metadata: { name: string } }).metadata.name, ...verb.slice(1)])
    await expect(reach(['port-forward', '18080:80'])).rejects.toThrow('it runs no process that could be reached')
    await expect(reach(['exec', '--', 'ls'])).rejects.toThrow('it runs no process that could be reached')
  })
})

test('a CloneSet with a spread shrinks from 100 to 10 in its shares; invalid spreads are refused', async ({
  kubectl,
}) => {
  await startMembers(kubectl, 'member1')
  const scenario = readFileSync(new URL('../server/members/spread/testing/scenario-3.yaml', import.meta.url), 'utf8')
  await kubectl.inMember('member1', ['apply', '-f', '-'], scenario)
  const shares = async (): Promise<Record<string, number>> => {
    const pods = JSON.parse(await kubectl.inMember('member1', ['get', 'pods', '-l', 'app=web', '-o', 'json'])) as {
      items: { metadata: { deletionTimestamp?: string; annotations?: Record<string, string> } }[]
    }
    const subsets = pods.items
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(
        ({ metadata }) =>
          /"Subset":"([^"]*)"/i.exec(metadata.annotations?.['apps.kruise.io/matched-workloadspread'] ?? '')?.[1]
          ?? 'none',
      )
    return Object.fromEntries([...Map.groupBy(subsets, (name) => name)].map(([name, all]) => [name, all.length]))
  }
  const resize = (replicas: number) =>
    kubectl.inMember('member1', ['scale', 'clonesets.v1alpha1.apps.kruise.io/web', `--replicas=${replicas}`])
  for (const size of [100, 10]) {
    await resize(size)
    await expect
      .poll(shares, { timeout: 120_000 })
      .toEqual({ 'subset-a': size / 5, 'subset-b': size / 5, 'subset-c': (size / 5) * 3 })
  }

  await test.step('the control plane refuses what members would refuse, with the field', async () => {
    const spread = (kind: string, limit: string): string => `apiVersion: apps.kruise.io/v1alpha1
kind: WorkloadSpread
metadata: { name: bad, namespace: default }
spec:
  targetRef: { apiVersion: apps/v1, kind: ${kind}, name: web }
  subsets: [{ name: a, maxReplicas: ${limit} }, { name: b }]
`
    expect((await kubectl.tryRun(['apply', '-f', '-'], spread('DaemonSet', '1'))).stderr).toContain('spec.targetRef')
    expect((await kubectl.tryRun(['apply', '-f', '-'], spread('Deployment', '-1'))).stderr).toContain(
      'spec.subsets[0].maxReplicas',
    )
  })
})
