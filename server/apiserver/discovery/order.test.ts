import { describe, expect, test } from 'vitest'
import { groupsInOrder, priorityOf } from './order'

const own = (group: string, version = 'v1') => ({ group, version, ...priorityOf(group, version) })

describe('groups', () => {
  test('with a higher priority come first, custom ones after all built-in ones', () => {
    const names = ['a.test', 'apps', 'batch', 'events.k8s.io', 'apiregistration.k8s.io', 'autoscaling']
    expect(
      groupsInOrder(
        names.map((name) => own(name)),
        'services',
      ),
    ).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io', 'autoscaling', 'batch', 'a.test'])
  })

  test('of the same priority follow the names of their APIServices, or their own in the aggregated document', () => {
    const versions = [
      own('a.test', 'v1alpha1'),
      own('z.test', 'v1alpha1'),
      own('z.test', 'v1'),
      own('m.test', 'v1beta1'),
    ]
    expect(groupsInOrder(versions, 'services')).toEqual(['z.test', 'a.test', 'm.test'])
    expect(groupsInOrder(versions, 'groups')).toEqual(['a.test', 'm.test', 'z.test'])
  })

  test('of several versions stand where the first of these puts them', () => {
    const remote = { group: 'a.test', version: 'v2', groupPriorityMinimum: 2000 }
    expect(groupsInOrder([own('b.test'), own('a.test'), remote], 'services')).toEqual(['a.test', 'b.test'])
    expect(groupsInOrder([{ ...remote, groupPriorityMinimum: 100 }, own('b.test')], 'groups')).toEqual([
      'b.test',
      'a.test',
    ])
  })
})
