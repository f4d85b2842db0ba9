import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION } from '@/lib/domain/queue'
import { deployment, propagationPolicy, resourceBinding } from '@/lib/kube/kinds'
import { SUSPENDED_BY_POLICY_ANNOTATION, SUSPENSION_WRITER_ANNOTATION } from '@/lib/kube/names'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from '../binding'
import { detectorController } from '.'

const REF = { namespace: 'shop', name: 'web-deployment' }
const POLICY = { namespace: 'shop', name: 'all' }
let env: Env

beforeEach(async () => {
  env = await startEnv()
  await env.createNamespace('shop')
  await env.run(detectorController(env.context()), bindingController(env.context()))
})
afterEach(() => env.close())

async function createWeb(suspension?: { scheduling?: true; dispatching?: true }): Promise<void> {
  const draft = aPolicy('all', { namespace: 'shop' })
  await env.client.create(propagationPolicy, { ...draft, spec: { ...draft.spec, ...(suspension && { suspension }) } })
  await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
}
const setPolicy = (suspension: object | null) =>
  env.client.patch(propagationPolicy, POLICY, { type: 'merge', value: { spec: { suspension } } })
const patchBinding = (value: object, fieldManager = 'kubectl-patch') =>
  env.client.patch(resourceBinding, REF, { type: 'merge', value }, { fieldManager })
const read = () => env.client.get(resourceBinding, REF)
const state = async () => {
  const {
    spec,
    metadata: { annotations = {} },
  } = await read()
  return [spec.suspension, annotations[SUSPENDED_BY_POLICY_ANNOTATION]]
}
const becomes = (expected: unknown[]) => env.eventually(async () => expect(await state()).toEqual(expected))
const BY_POLICY = 'PropagationPolicy shop/all'

describe('a policy that suspends scheduling', () => {
  test('suspends a new binding, with an event, and resumes it when the field is removed', async () => {
    await createWeb({ scheduling: true })
    await becomes([{ scheduling: true }, BY_POLICY])
    await setPolicy({ dispatching: true, scheduling: null })
    await becomes([{ dispatching: true }, undefined])
    await setPolicy({ dispatching: true, scheduling: true })
    await becomes([{ dispatching: true, scheduling: true }, BY_POLICY])
    await setPolicy(null)
    await becomes([undefined, undefined])
  })

  test('keeps the suspension of a queue or a user when it resumes', async () => {
    await createWeb({ scheduling: true })
    await becomes([{ scheduling: true }, BY_POLICY])
    await patchBinding({ metadata: { annotations: { [QUEUE_ANNOTATION]: 'shop/line' } } })
    await setPolicy(null)
    await becomes([{ scheduling: true }, undefined])
  })

  test('cannot be overridden on the binding', async () => {
    await createWeb({ scheduling: true })
    await becomes([{ scheduling: true }, BY_POLICY])
    await expect(patchBinding({ spec: { suspension: null } })).rejects.toThrow(/PropagationPolicy shop\/all suspends/)
  })

  test('does not suspend a binding that has been scheduled, and reports that once', async () => {
    await createWeb()
    await env.eventually(read)
    await patchBinding({ spec: { clusters: [{ name: 'member1', replicas: 3 }] } })
    await env.eventually(() => expect(env.informers.of(resourceBinding).list()[0]?.spec.clusters).toHaveLength(1))
    await setPolicy({ scheduling: true })
    await env.eventually(async () =>
      expect((await env.recordedEvents()).map(({ reason }) => reason)).toContain('SuspensionIgnored'),
    )
    expect(await state()).toEqual([undefined, undefined])
  })
})

describe('a suspended binding that is deleted', () => {
  const reborn = async (uid: string) =>
    env.eventually(async () => {
      const binding = await read()
      expect(binding.metadata.uid).not.toBe(uid)
      return binding
    })

  test.each([
    ['by its policy', { scheduling: true } as const, undefined, SUSPENDED_BY_POLICY_ANNOTATION, BY_POLICY],
    ['with kubectl', undefined, {}, SUSPENSION_WRITER_ANNOTATION, 'test-admin (kubectl-patch) 2026-01-01T00:00:0'],
    [
      'in the console',
      undefined,
      { [SUSPENDED_BY_ANNOTATION]: 'ann 2026-01-01T00:00:00Z' },
      SUSPENDED_BY_ANNOTATION,
      'ann 2026-01-01T00:00:00Z',
    ],
    ['by a queue', undefined, { [QUEUE_ANNOTATION]: 'shop/line' }, QUEUE_ANNOTATION, 'shop/line'],
  ])('comes back suspended %s', async (...[, suspension, annotations, note, text]) => {
    await createWeb(suspension)
    await env.eventually(read)
    if (annotations) await patchBinding({ metadata: { annotations }, spec: { suspension: { scheduling: true } } })
    await env.eventually(() =>
      expect(env.informers.of(resourceBinding).list()[0]?.spec.suspension?.scheduling).toBe(true),
    )
    const {
      metadata: { uid },
    } = await read()
    await env.client.delete(resourceBinding, REF)
    const { spec, metadata } = await reborn(uid)
    expect([spec.suspension, metadata.annotations?.[note]?.startsWith(text)]).toEqual([{ scheduling: true }, true])
  })

  test('is not suspended when its template was created anew', async () => {
    await createWeb()
    await env.eventually(read)
    await patchBinding({ spec: { suspension: { scheduling: true } } })
    const {
      metadata: { uid },
    } = await read()
    await env.client.delete(deployment, { namespace: 'shop', name: 'web' })
    await env.client.create(deployment, aDeployment('web', { namespace: 'shop', replicas: 3 }))
    expect((await reborn(uid)).spec.suspension).toBeUndefined()
  })
})
