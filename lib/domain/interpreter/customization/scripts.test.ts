import { expect, test } from 'vitest'
import type { ResourceInterpreterCustomization } from '../../../kube/kinds/resource-interpreter-customization'
import { ScriptCatalog } from './scripts'

const target = { apiVersion: 'apps/v1', kind: 'Deployment' }
const health = (luaScript: string) => ({ healthInterpretation: { luaScript } })

test.each([
  ['the form of the proposal', { target, ...health('proposed') }, 'proposed'],
  ['the form of today', { target, customizations: health('today') }, 'today'],
  ['both: the form of today wins', { target, ...health('proposed'), customizations: health('today') }, 'today'],
  [
    'the proposal beside another script',
    { target, ...health('proposed'), customizations: { retention: { luaScript: 'keep' } } },
    'proposed',
  ],
])('health by %s', (_name, spec, source) => {
  const one = { metadata: { name: 'x' }, spec } as ResourceInterpreterCustomization
  expect(new ScriptCatalog([one]).find(target, 'health')?.source).toBe(source)
})
