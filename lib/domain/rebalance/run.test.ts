import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import { aBinding, aCluster } from '../placement/testing/scheduled'
import { decideApproval, decideOrphan, readRunRecord } from './run'

const now = Date.parse('2026-01-02T00:00:00Z')
const dynamic = byAvailableReplicas()
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `app-${index}`)
const approve = (bindings: ReturnType<typeof aBinding>[], clusters: ReturnType<typeof aCluster>[]) => decideApproval({
  plan: { name: 'p', uid: 'u', generation: 1, spec: { selection: { namespaces: ['default'] } }, status: {} }, bindings, clusters, now,
})
const reasonOf = ({ status }: ReturnType<typeof approve>) => status.conditions?.find(({ type }) => type === 'Progressing')?.reason

describe('a plan keeps its record in one object', () => {
  test.each([
    ['as many workloads as there may be', 1000, 2, 'AwaitingApproval'],
    ['one more', 1001, 2, 'TooManyWorkloads'],
    ['fewer that run in very many clusters', 400, 40, 'TooManyWorkloads'],
  ])('%s', (_name, workloads, clusters, expected) => {
    const members = Array.from({ length: clusters }, (_, index) => aCluster(`member-with-a-long-name-${index}`, 100_000))
    const bindings = namesOf(workloads).map((name) => aBinding(name, { elsewhere: 40 }, { placement: dynamic }))
    expect(reasonOf(approve(bindings, members))).toBe(expected)
  })
})

test.each([
  ['is none', 'no JSON'], ['lacks what it needs', '{"plan":"p"}'], ['is a list', '[]'], ['is null', 'null'],
])('a note on a binding that %s is no note, and nothing is done about it', (_name, text) => {
  const binding = aBinding('web', { member1: 1 })
  const noted = { ...binding, metadata: { ...binding.metadata, annotations: { 'rebalance.evenkeel.io/run': text } } }
  expect(readRunRecord(noted)).toBeUndefined()
  expect(decideOrphan({ binding: noted, clusters: [], now })).toBeUndefined()
})
