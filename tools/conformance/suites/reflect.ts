/** Statuses collected from members and aggregated into templates, against the real interpreters. */
import { aggregateStatus, hasAggregationRule, type MemberStatus, reflectStatus } from '@/lib/domain/interpreter'
import type { UnknownObject } from '@/lib/kube/object'
import { attempt } from '../attempt'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  object: UnknownObject
  aggregatedStatus?: (MemberStatus | null)[] | null
}

interface Output {
  status?: unknown
  error?: string
}

/** The clock of the recording. */
const NOW = '2000-01-01T00:00:00Z'

function judge({ name, input, output }: Case<Input, Output>): string | undefined {
  const expected = output.error === undefined ? { status: output.status ?? null } : { error: true }
  const interpret = name.startsWith('aggregate/') ? aggregate : reflect
  const actual = attempt(() => ({ status: interpret(input) ?? null }))
  return differs('status', actual, expected)
}

const reflect = ({ object }: Input): unknown => reflectStatus(object, { likeUpstream: true })

function aggregate({ object, aggregatedStatus }: Input): unknown {
  if (!hasAggregationRule(object)) throw new Error('no rule')
  const items = aggregatedStatus?.map((item) => item ?? { clusterName: '' })
  return aggregateStatus(object, items, { now: NOW, likeUpstream: true })
}

export const suite: Suite = { name: 'reflect', judge: judge as Judge }
