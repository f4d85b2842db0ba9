import { describe, expect, test } from 'vitest'
import { RESUMED_BY_ANNOTATION, QUEUE_ANNOTATION, RELEASED_AT_ANNOTATION } from '@/lib/domain/queue'
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import { aBinding } from '@/lib/testing/builders'
import { recordResumer } from './binding-webhooks'

const state = (scheduling: boolean | undefined, annotations: Record<string, string> = {}) =>
  aBinding('web', { spec: { suspension: { scheduling } }, metadata: { annotations } })

const OURS = { [QUEUE_ANNOTATION]: 'shop/line' }
const RELEASED = { ...OURS, [RELEASED_AT_ANNOTATION]: '2026-01-01T00:00:00Z' }

// API servers before 1.28 ignore match conditions and send every write of a binding.
describe('who made a binding free', () => {
  test.each<[string, ReturnType<typeof state>, ReturnType<typeof state>, boolean]>([
    ['is noted when a user releases what a queue suspended', state(true, OURS), state(false, OURS), true],
    ['is noted when a user removes the field', state(true, OURS), state(undefined, OURS), true],
    ['is noted when it was released before, and held again', state(true, RELEASED), state(false, RELEASED), true],
    ['is not noted of a release by its queue', state(true, OURS), state(false, RELEASED), false],
    ['is not noted of what no queue suspended', state(true), state(false), false],
    ['is not noted of a write that leaves it suspended', state(true, OURS), state(true, OURS), false],
    ['is not noted of a write to what was free', state(false, OURS), state(false, OURS), false],
    ['is not noted when it is suspended', state(false, OURS), state(true, OURS), false],
  ])('%s', async (_, oldObject, object, noted) => {
    const request = { object, oldObject, userInfo: { username: 'jane' } } as unknown as ReviewRequest
    const operations = await recordResumer({ now: () => 0 })(request)
    const note = { [RESUMED_BY_ANNOTATION]: 'jane 1970-01-01T00:00:00Z' }
    expect(operations).toEqual(
      noted ? [{ op: 'add', path: '/metadata/annotations', value: { ...object.metadata.annotations, ...note } }] : [],
    )
  })
})
