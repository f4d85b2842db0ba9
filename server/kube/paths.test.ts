import { describe, expect, onTestFinished, test } from 'vitest'
import { queue } from '@/lib/kube/kinds/queue'
import type { Kind } from '@/lib/kube/kind'
import { memberPath, resourcePath } from './paths'
import { createRestClient } from './rest-client'

const kind = queue as unknown as Kind

describe('a name in a path', () => {
  test.each([
    ['main', 'main'],
    ['../../secrets', '..%2F..%2Fsecrets'],
    ['a?b#c', 'a%3Fb%23c'],
    ['...', '...'],
    ['a\nb', 'a%0Ab'],
  ])('%j stays one part of it', (name, written) => {
    expect(resourcePath(kind, { namespace: name, name })).toBe(
      `/apis/evenkeel.io/v1alpha1/namespaces/${written}/queues/${written}`,
    )
    expect(memberPath(name)).toBe(`/apis/cluster.karmada.io/v1alpha1/clusters/${written}/proxy`)
  })

  test.each(['.', '..', ''])('%j is refused: resolved, it would be the collection, or its parent', (name) => {
    expect(() => resourcePath(kind, { namespace: 'lab', name })).toThrow(expect.objectContaining({ code: 400 }))
    expect(() => memberPath(name)).toThrow(expect.objectContaining({ code: 400 }))
    if (name !== '') {
      expect(() => resourcePath(kind, { namespace: name, name: 'main' })).toThrow(
        expect.objectContaining({ code: 400 }),
      )
    }
  })
})

test('a client sends no request under such a name, and rejects as if the API server had refused it', async () => {
  const client = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  onTestFinished(() => client.close())
  const ref = { namespace: 'lab', name: '..' }
  for (const asked of [
    client.get(queue, ref),
    client.delete(queue, ref),
    client.patch(queue, ref, { type: 'merge', value: {} }),
  ])
    await expect(asked).rejects.toMatchObject({ code: 400 })
})
