import { describe, expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { configMap } from '@/lib/kube/kinds/config-map'
import type { KubeClient } from '@/server/kube/client'
import type { Principal } from '../auth/principal'
import { changeObject, versionOf } from './precondition'

const what = { kind: configMap, ref: { namespace: 'lab', name: 'a' } }
const conflict = kubeError(409, 'Conflict', 'the object has been modified')

/** Reads these versions one after the other, the last one ever after. */
function reading(...versions: { generation: number; resourceVersion: string }[]) {
  let reads = 0
  const get = () => {
    const metadata = { name: 'a', ...versions[Math.min(reads++, versions.length - 1)] }
    return Promise.resolve({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
  }
  return { principal: { client: { get } as unknown as KubeClient } as Principal, reads: () => reads }
}

/** Is refused so often, then writes; tells the locks that it was given. */
function writing(conflicts: number) {
  const locks: (string | undefined)[] = []
  const write = ({ lock }: { lock: { resourceVersion?: string } }) => {
    locks.push(lock.resourceVersion)
    return locks.length > conflicts ? Promise.resolve('written') : Promise.reject(conflict)
  }
  return { locks, write }
}

const g = (generation: number, resourceVersion: string) => ({ generation, resourceVersion })

describe('a change', () => {
  test('without If-Match is written without a lock, and a conflict is the reader’s', async () => {
    const { principal } = reading(g(1, '10'))
    const { write, locks } = writing(1)
    await expect(changeObject({ principal }, what, write)).rejects.toBe(conflict)
    expect(locks).toEqual([undefined])
  })

  test('is tried again under the new lock while only the status moved', async () => {
    const { principal } = reading(g(1, '10'), g(1, '11'), g(1, '12'))
    const { write, locks } = writing(2)
    expect(await changeObject({ principal, ifMatch: 'g1' }, what, write)).toBe('written')
    expect(locks).toEqual(['10', '11', '12'])
  })

  test('is refused when another client was quicker, though the object was unchanged when it was read', async () => {
    const { principal } = reading(g(1, '10'), g(2, '11'))
    await expect(changeObject({ principal, ifMatch: 'g1' }, what, writing(1).write)).rejects.toMatchObject({
      status: 412,
      reason: 'PreconditionFailed',
      more: { headers: { etag: '"g2"' } },
    })
  })

  test('by resourceVersion is refused once the status moved, too', async () => {
    const { principal } = reading(g(1, '10'), g(1, '11'))
    await expect(changeObject({ principal, ifMatch: '10' }, what, writing(1).write)).rejects.toMatchObject({
      status: 412,
    })
  })

  test('that is guarded is retried while only the status moved, refused once another client was quicker', async () => {
    const guarded = { ...what, guarded: true }
    const { write, locks } = writing(1)
    expect(await changeObject(reading(g(1, '10'), g(1, '11')), guarded, write)).toBe('written')
    expect(locks).toEqual(['10', '11'])
    const overtaken = changeObject(reading(g(1, '10'), g(2, '11')), guarded, writing(1).write)
    await expect(overtaken).rejects.toMatchObject({ status: 412 })
  })

  test('is given up when the conflicts do not end', async () => {
    const { principal, reads } = reading(g(1, '10'))
    await expect(changeObject({ principal, ifMatch: 'g1' }, what, writing(99).write)).rejects.toBe(conflict)
    expect(reads()).toBe(4)
  })
})

test.each([
  [{ generation: 3, resourceVersion: '9' }, 'g3'],
  [{ resourceVersion: '9' }, '9'],
  [undefined, undefined],
])('the version of %o is %s', (metadata, version) => {
  expect(versionOf(metadata)).toBe(version)
})
