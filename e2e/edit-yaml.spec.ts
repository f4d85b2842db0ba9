import { findingsInBoth } from './support/axe'
import { waitForCluster } from './support/binding'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { say } from './support/say'

const template = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb&node=template&part=yaml'

interface Deployment {
  metadata: { annotations?: Record<string, string> }
  spec: { replicas: number }
}

test('an edit is previewed, overtaken, applied to the new version, and saved without loss', async ({
  kubectl,
  page,
  product,
}) => {
  await kubectl.apply(member('member1') + workload({ name: 'web', replicas: 2, placement: dynamicWeight }))
  await waitForCluster(kubectl, 'member1', true)
  await expect.poll(() => kubectl.find(['resourcebinding/web-deployment'])).toBeDefined()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${product.url}${template}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: say()('edit.edit') }).click()
  const editor = drawer.getByTestId('object-editor')
  const input = editor.getByRole('textbox')
  await expect(input).toContainText('kind: Deployment')
  expect(await findingsInBoth(page)).toEqual([])

  const mine = (await kubectl.find<Deployment>(['deployment/web']))!
  mine.spec.replicas = 3
  await kubectl.run(['annotate', 'deployment', 'web', 'team=night'])
  await input.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(JSON.stringify(mine))
  await editor.getByRole('button', { name: say()('edit.preview') }).click()
  const overtaken = editor.getByTestId('overtaken')
  await expect(overtaken.locator('[data-path="metadata.annotations.team"]')).toContainText('night')
  await overtaken.getByRole('button', { name: say()('edit.rebase') }).click()
  await editor.getByRole('button', { name: say()('edit.preview') }).click()
  const change = editor.getByTestId('edit-changes').getByTestId('change')
  await expect(change).toHaveCount(1)
  await expect(change).toHaveAttribute('data-path', 'spec.replicas')
  await editor.getByRole('button', { name: say()('edit.save') }).click()
  await expect(editor).toBeHidden()
  const saved = (await kubectl.find<Deployment>(['deployment/web']))!
  expect([saved.spec.replicas, saved.metadata.annotations?.team]).toEqual([3, 'night'])
  // Conflicts are answers; Chromium itself tries inline styles when the whole of an editable region is replaced.
  expect(problems.filter((text) => !text.includes('409') && !text.includes('style-src-attr'))).toEqual([])

  await drawer.getByRole('button', { name: say()('edit.edit') }).click()
  await expect(input).toContainText('kind: Deployment')
  await input.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('{')
  await editor.getByRole('button', { name: say()('edit.preview') }).click()
  await expect(drawer.getByRole('alert')).toBeVisible()
})
