import { expect, test } from 'vitest'
import { deployment, namespace, pod } from '@/lib/kube/kinds'
import { resourceOf } from '../registry/resource'
import { servedResources } from './served'

test.each([
  ['pods', pod, ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'status']],
  ['deployments', deployment, ['scale', 'status']],
  ['namespaces', namespace, ['finalize', 'status']],
])('%s are followed by their subresources in the order of names', (plural, kind, subresources) => {
  expect(servedResources(resourceOf(kind)).map(({ name }) => name)).toEqual([
    plural,
    ...subresources.map((name) => `${plural}/${name}`),
  ])
})
