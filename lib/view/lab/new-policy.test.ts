import { describe, expect, test } from 'vitest'
import { editableText, readPolicy } from './document'
import { editSelector, kindText, newPolicy, readKind, selectedLabels, withScope } from './new-policy'

describe('a new policy', () => {
  test('is valid from the beginning, in a namespace or for the whole control plane', () => {
    for (const namespace of ['shop', undefined]) {
      const read = readPolicy(editableText(newPolicy(namespace)))
      expect(read).toMatchObject({
        ok: true,
        manifest: {
          kind: namespace === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
          metadata: { name: 'new-policy' },
        },
      })
      expect(read.ok && read.manifest.metadata.namespace).toBe(namespace)
    }
  })

  test('changes its scope and keeps everything else as it is written', () => {
    const text = `${editableText(newPolicy('shop'))}# mine\n`
    const wide = withScope(text, undefined)
    expect(readPolicy(wide)).toMatchObject({ ok: true, manifest: { kind: 'ClusterPropagationPolicy' } })
    expect(wide).not.toContain('namespace')
    expect(wide).toContain('# mine')
    expect(readPolicy(withScope(wide, 'bank'))).toMatchObject({
      ok: true,
      manifest: { kind: 'PropagationPolicy', metadata: { namespace: 'bank' } },
    })
  })
})

describe('a resource selector', () => {
  const selector = { apiVersion: 'apps/v1', kind: 'Deployment' }

  test('has its kind as one text', () => {
    expect(readKind(' v1  ConfigMap ')).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' })
    expect(readKind(kindText(selector))).toEqual(selector)
    for (const typed of ['', 'Deployment', 'apps/v1', 'apps/v1 deployment', 'apps v1 Deployment'])
      expect(readKind(typed)).toBeUndefined()
  })

  test('contains the entered values, without empty ones', () => {
    const named = editSelector(selector, 'name', ' web ')!
    expect(named).toEqual({ ...selector, name: 'web' })
    expect(editSelector(named, 'name', '')).toEqual(selector)
    expect(editSelector(named, 'kind', 'batch/v1 Job')).toEqual({ apiVersion: 'batch/v1', kind: 'Job', name: 'web' })
    const labelled = editSelector(selector, 'labels', 'app in (api,web),!old')!
    expect(selectedLabels(labelled)).toBe('app in (api,web), !old')
    expect(editSelector(labelled, 'labels', '')).toEqual(selector)
    expect(editSelector(selector, 'labels', 'app in (')).toBeUndefined()
  })
})
