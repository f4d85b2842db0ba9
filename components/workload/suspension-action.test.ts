import { describe, expect, it } from 'vitest'
import type { CellView, WorkloadView } from '@/lib/view/model'
import { message } from '@/lib/messages'
import { suspensionAction } from './suspension-action'

const cell = (role: CellView['role']): CellView => ({
  cluster: 'm1',
  desired: 1,
  current: 0,
  ready: 0,
  role,
  applied: true,
  health: 'Healthy',
  state: { state: 'ok', reason: '' },
})

function workload(given: Partial<WorkloadView> = {}): WorkloadView {
  return {
    id: 'apps~v1/Deployment/shop/web',
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' },
    strategy: 'Duplicated',
    hasReplicas: true,
    desired: 1,
    current: 0,
    ready: 0,
    cells: [],
    state: { state: 'active', reason: '' },
    suspended: { scheduling: false, dispatching: false },
    createdAt: '2026-11-21T09:00:00Z',
    ...given,
  }
}

const suspended = { scheduling: true, dispatching: false }

describe('suspending by hand', () => {
  it('is offered for what was not scheduled yet', () => {
    expect(suspensionAction(workload())).toEqual({ action: 'suspend' })
    expect(suspensionAction(workload({ cells: [cell('leaving')] }))).toEqual({ action: 'suspend' })
  })

  it('can be taken back once a user suspended the workload', () => {
    expect(
      suspensionAction(
        workload({
          suspended,
          held: { by: 'suspended', message: message('queues.reason.pendingIn', { queue: 'shop/line' }) },
        }),
      ),
    ).toEqual({ action: 'resume' })
    expect(suspensionAction(workload({ suspended, cells: [cell('placed')] }))).toEqual({ action: 'resume' })
    expect(
      suspensionAction(
        workload({
          suspended,
          held: {
            by: 'suspended',
            message: message('queues.reason.pendingIn', { queue: 'shop/line' }),
            queue: 'shop/line',
          },
        }),
      ),
    ).toEqual({ action: 'resume' })
  })

  it('is refused for what is placed, with the reason of the control plane', () => {
    expect(suspensionAction(workload({ cells: [cell('placed')] })).refusal).toEqual(
      message('suspension.alreadyScheduled'),
    )
    const scheduled = {
      type: 'Scheduled',
      status: 'True',
      reason: 'Success',
      message: '',
      lastTransitionTime: '',
    } as const
    expect(suspensionAction(workload({ scheduled })).refusal).toEqual(message('suspension.alreadyScheduled'))
  })

  it('is left to the queue in which it waits', () => {
    expect(
      suspensionAction(
        workload({
          suspended,
          held: {
            by: 'queue',
            message: message('queues.reason.pendingIn', { queue: 'shop/line' }),
            queue: 'shop/line',
          },
        }),
      ),
    ).toEqual({
      action: 'resume',
      refusal: message('suspension.queueDecides', { queue: 'shop/line' }),
      queue: 'shop/line',
    })
    expect(
      suspensionAction(
        workload({
          suspended,
          held: { by: 'hold', message: message('queues.reason.pendingIn', { queue: 'shop/line' }), queue: 'shop/line' },
        }),
      ).queue,
    ).toBe('shop/line')
  })

  it('is not offered for what belongs to no namespace', () => {
    const clusterWide = {
      binding: { kind: 'ClusterResourceBinding', name: 'admin-clusterrole' },
      ref: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'admin' },
    } as const
    expect(suspensionAction(workload(clusterWide)).refusal).toEqual(
      message('suspension.clusterScoped', { kind: 'ClusterRole' }),
    )
  })
})
