import { dynamicWeight, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

const webPage = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb'

test('a workload is followed from applied to healthy on its page, and back while it grows', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await page.goto(`${product.url}${webPage}`)
  await expect(page.getByText(say()('workload.gone', { name: 'web' }))).toBeVisible()

  await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
  const state = page.getByTestId('workload-state')
  await expect(state).toHaveAttribute('data-state', 'ok')
  await expect(page.locator('[data-condition="Scheduled"]')).toHaveAttribute('data-status', 'True')
  await expect(page.locator('[data-condition="FullyApplied"]')).toHaveAttribute('data-status', 'True')

  await kubectl.run(['annotate', 'cluster', 'member1', 'member2', 'sim.evenkeel.io/unhealthy=default/web'])
  await kubectl.run(['scale', 'deployment', 'web', '--replicas=6'])
  await expect(state).not.toHaveAttribute('data-state', 'ok')
  await kubectl.run(['annotate', 'cluster', 'member1', 'member2', 'sim.evenkeel.io/unhealthy-'])
  await expect(state).toHaveAttribute('data-state', 'ok')
})

test('an object that a member has already is a conflict in plain words, and Overwrite resolves it', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1')
  await kubectl.inMember('member1', ['create', 'deployment', 'web', '--image=somebody-elses:1'])
  await kubectl.apply(workload({ name: 'web', replicas: 2, placement: dynamicWeight }))

  await page.goto(`${product.url}${webPage}`)
  const state = page.getByTestId('workload-state')
  await expect(state).toHaveAttribute('data-state', 'fail')
  await expect(state).toContainText(say()('workload.rejection.exists', { kind: 'Deployment', name: 'default/web' }))
  await expect(state).toContainText('conflictResolution: Overwrite')
  expect(
    await kubectl.inMember('member1', [
      'get',
      'deployment',
      'web',
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    ]),
  ).toBe('somebody-elses:1')

  await kubectl.run([
    'patch',
    'propagationpolicy',
    'web',
    '--type=merge',
    '-p',
    '{"spec":{"conflictResolution":"Overwrite"}}',
  ])
  await expect(state).toHaveAttribute('data-state', 'ok')
  expect(
    await kubectl.inMember('member1', [
      'get',
      'deployment',
      'web',
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    ]),
  ).toBe('nginx:1.27')
})
