/** A suspension of a workload's own outlives its policy's, its binding and the process, and names who set it. */
import type { Page } from '@playwright/test'
import { queued } from './scenarios/queues'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { type Kubectl, kubectlFor } from './support/kubectl'
import { startProduct } from './support/product'

const WAIT = { timeout: 60_000 }
const DETAIL = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fhuge'
const SUSPEND = ['patch', 'rb', 'huge-deployment', '--type=merge', '-p', '{"spec":{"suspension":{"scheduling":true}}}']

interface Binding {
  metadata: { uid: string }
  spec: { suspension?: { scheduling?: boolean }; clusters?: object[] }
  status?: { conditions?: { type: string; status: string; reason: string; message: string }[] }
}

const bindingOf = (kubectl: Kubectl) => kubectl.find<Binding>(['rb', 'huge-deployment'])

/** The reason and the opening of the condition that kubectl shows; empty while there is none. */
async function suspended(kubectl: Kubectl): Promise<string> {
  const conditions = (await bindingOf(kubectl))?.status?.conditions ?? []
  const condition = conditions.find(({ type }) => type === 'SchedulingSuspended')
  return condition ? `${condition.status} ${condition.reason}: ${condition.message.split(' since ')[0]}` : ''
}

/** Deletes the binding, and waits for its successor. */
async function replaceBinding(kubectl: Kubectl): Promise<void> {
  const uid = async () => (await bindingOf(kubectl))?.metadata.uid
  const before = await uid()
  await kubectl.run(['delete', 'rb', 'huge-deployment'])
  await expect.poll(async () => (await uid()) ?? before, WAIT).not.toBe(before)
}

const setPolicy = (kubectl: Kubectl, suspension: string) =>
  kubectl.run(['patch', 'propagationpolicy', 'huge', '--type=merge', '-p', `{"spec":{"suspension":${suspension}}}`])

async function expectNamed(page: Page, url: string, who: RegExp): Promise<void> {
  await page.goto(`${url}${DETAIL}`)
  const notice = page.getByTestId('held-notice')
  await expect(notice).toHaveAttribute('data-by', 'suspended', WAIT)
  await expect(notice).toContainText(who, WAIT)
}

/** Fits in no cluster, so that it is never scheduled. */
const huge = queued({ namespace: 'default', name: 'huge', cpu: '100000' })

test('a user’s suspension outlives that of a policy, a new binding and kill -9, and names the user all the while', async ({
  product,
  kubectl,
  page,
}) => {
  const BY_ALICE = 'True Suspended: Scheduling has been suspended by alice (kubectl-patch)'
  const BY_POLICY = 'True SuspendedByPolicy: Scheduling has been suspended by PropagationPolicy default/huge'
  await startMembers(kubectl, 'member1')
  await kubectl.apply(huge)
  await expect.poll(() => bindingOf(kubectl), WAIT).toBeDefined()
  await kubectl.run(['--as=alice', '--as-group=system:masters', ...SUSPEND])
  await expect.poll(() => suspended(kubectl), WAIT).toBe(BY_ALICE)
  await expectNamed(page, product.url, /alice/)

  await test.step('the policy suspends it as well, and resumes only its own part', async () => {
    await setPolicy(kubectl, '{"scheduling":true}')
    await expect.poll(() => suspended(kubectl), WAIT).toBe(BY_POLICY)
    await expectNamed(page, product.url, /PropagationPolicy default\/huge/)
    await setPolicy(kubectl, 'null')
    await expect.poll(() => suspended(kubectl), WAIT).toBe(BY_ALICE)
  })

  await test.step('the binding is deleted, and recreated with the same state', async () => {
    await replaceBinding(kubectl)
    await expect.poll(() => suspended(kubectl), WAIT).toBe(BY_ALICE)
    expect((await bindingOf(kubectl))?.spec.clusters).toBeUndefined()
  })

  await test.step('the process is killed and starts again', async () => {
    await product.kill()
    const again = await startProduct({ dataDir: product.dataDir, flags: ['--no-demo'] })
    await expectNamed(page, again.url, /alice/)
    const after = kubectlFor(again.kubeconfig)
    expect(await suspended(after)).toBe(BY_ALICE)
    await replaceBinding(after)
    await expect.poll(() => suspended(after), WAIT).toBe(BY_ALICE)
    expect((await bindingOf(after))?.spec.clusters).toBeUndefined()
    await after.run(SUSPEND.map((word) => word.replace('true', 'false')))
    await expect.poll(() => suspended(after), WAIT).toMatch(/^False Resumed/)
  })
})
