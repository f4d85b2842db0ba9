import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { unreachable } from '@/server/kube/answers'
import type { Logger } from '@/server/runtime/controller'
import { FedInformers } from '../testing/fed-informers'
import { logConnection } from './connection-log'
import { ControlPlaneCache } from './control-plane-cache'

const failure = (code: string, text: string): Error =>
  unreachable(Object.assign(new Error(text), { code }), 'watching /apis?timeoutSeconds=7')

test('a loss is logged with its cause and advice, once for each cause, and then the return', () => {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const lines: [level: string, fields: object, text: string][] = []
  const to = (level: string) => (fields: object, text: string) => void lines.push([level, fields, text])
  const log = { warn: to('warn'), info: to('info') } as unknown as Logger
  const stop = logConnection({ cache: new ControlPlaneCache(informers), clock, log })
  const become = (cause: Error | undefined): void =>
    informers
      .of(cluster)
      .setFreshness(
        cause
          ? { state: 'stale', since: clock.now(), error: cause.message, cause }
          : { state: 'live', resourceVersion: '1' },
      )

  become(failure('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:6443'))
  become(failure('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:6443'))
  become(failure('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'))
  clock.advance(3000)
  become(undefined)
  become(undefined)
  expect(lines).toEqual([
    [
      'warn',
      { cause: 'connect ECONNREFUSED 10.0.0.1:6443', advice: expect.stringContaining('Check the server') },
      LOST,
    ],
    [
      'warn',
      {
        cause: 'self-signed certificate in certificate chain',
        advice: expect.stringContaining('certificate-authority'),
      },
      LOST,
    ],
    ['info', { ms: 3000 }, 'following the control plane again'],
  ])
  stop()
  become(failure('ECONNREFUSED', 'refused'))
  expect(lines).toHaveLength(3)
})

const LOST = 'lost the control plane; retrying'
