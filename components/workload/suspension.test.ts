import { describe, expect, it } from 'vitest'
import type { CellView, WorkloadView } from '@/lib/view/model'
import { suspensionAct } from './suspension'

const cell = (role: CellView['role']): CellView => ({ cluster: 'm1', desired: 1, current: 0, ready: 0, role, applied: true, health: 'Healthy', state: { state: 'ok', reason: '' } })

function workload(given: Partial<WorkloadView> = {}): WorkloadView {
  return {
    id: 'apps~v1/Deployment/shop/web', ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
    binding: { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' }, strategy: 'Duplicated', hasReplicas: true, desired: 1, current: 0, ready: 0, cells: [],
    state: { state: 'active', reason: '' }, suspended: { scheduling: false, dispatching: false }, createdAt: '2026-11-21T09:00:00Z', ...given,
  }
}

const suspended = { scheduling: true, dispatching: false }

describe('suspending by hand', () => {
  it('is offered for what was not scheduled yet', () => {
    expect(suspensionAct(workload())).toEqual({ action: 'suspend' })
    expect(suspensionAct(workload({ cells: [cell('leaving')] }))).toEqual({ action: 'suspend' })
  })

  it('is taken back where somebody did it', () => {
    expect(suspensionAct(workload({ suspended, held: { by: 'suspended', sentence: '' } }))).toEqual({ action: 'resume' })
    expect(suspensionAct(workload({ suspended, cells: [cell('placed')] }))).toEqual({ action: 'resume' })
    expect(suspensionAct(workload({ suspended, held: { by: 'suspended', sentence: '', queue: 'shop/line' } }))).toEqual({ action: 'resume' })
  })

  it('is refused for what is placed, with the reason of the control plane', () => {
    expect(suspensionAct(workload({ cells: [cell('placed')] })).refusal).toMatch('control plane refuses')
    const scheduled = { type: 'Scheduled', status: 'True', reason: 'Success', message: '', lastTransitionTime: '' } as const
    expect(suspensionAct(workload({ scheduled })).refusal).toMatch('control plane refuses')
  })

  it('is left to the queue in which it waits', () => {
    expect(suspensionAct(workload({ suspended, held: { by: 'queue', sentence: '', queue: 'shop/line' } })))
      .toEqual({ action: 'resume', refusal: 'Queue shop/line decides when it goes on.', queue: 'shop/line' })
    expect(suspensionAct(workload({ suspended, held: { by: 'hold', sentence: '', queue: 'shop/line' } })).queue).toBe('shop/line')
  })

  it('is not offered for what belongs to no namespace', () => {
    const clusterWide = { binding: { kind: 'ClusterResourceBinding', name: 'admin-clusterrole' }, ref: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'admin' } } as const
    expect(suspensionAct(workload(clusterWide)).refusal).toMatch('ClusterRoles belong to no namespace')
  })
})
