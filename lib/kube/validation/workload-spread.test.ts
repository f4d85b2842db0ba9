import { expect, test } from 'vitest'
import type { WorkloadSpread } from '../kinds'
import { validateSpreadConflicts, validateSpreadSpec } from './workload-spread'

const spread = (name: string, namespace: string, value = 'a') =>
  ({
    metadata: { name, namespace },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      subsets: [
        {
          name: 's',
          requiredNodeSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] },
          preferredNodeSelector: [
            { weight: 1, preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] } },
          ],
        },
      ],
    },
  }) as unknown as WorkloadSpread

test('another spread of the same workload is in conflict in the same namespace only', () => {
  const fieldsOf = (namespace: string) =>
    validateSpreadConflicts(spread('mine', 'shop'), [spread('other', namespace)]).map(({ field }) => field)
  expect([fieldsOf('shop'), fieldsOf('lab')]).toEqual([['spec.targetRef'], []])
})

test('values that no label can have are refused where nodes must match, and not where they should', () => {
  const fieldsOf = (value: string) => validateSpreadSpec(spread('mine', 'shop', value).spec!).map(({ field }) => field)
  expect(fieldsOf('a zone')).toEqual(['spec.subsets[0].requiredNodeSelector.matchExpressions[0].values[0]'])
  expect(fieldsOf('a-zone')).toEqual([])
})
