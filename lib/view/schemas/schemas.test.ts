import { describe, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type {
  FailoverEntryView,
  FailoverPlanView,
  FailoverSummaryView,
  ClusterBlockersView,
  PastFailoverView,
} from '../failover-model'
import type { JournalEntry } from '../journal'
import type { AboutView, ClusterView, WorkloadDetailView, WorkloadView } from '../model'
import type { FailbackView, PlanRunView, RebalancePlanView, RebalancerView, WhatIfView } from '../rebalance-model'
import type { SpreadView } from '../spread-model'
import {
  failoverEntrySchema,
  failoverPlanSchema,
  failoverSummarySchema,
  clusterBlockersSchema,
  journalEntrySchema,
  pastFailoverSchema,
} from './failover'
import { aboutSchema, clusterSchema, workloadDetailSchema, workloadSchema } from './fleet'
import { failbackSchema, planRunSchema, rebalancePlanSchema, rebalancerSchema, whatIfSchema } from './rebalance'
import { spreadSchema } from './spread'

/** Says at compile time that a schema and a view model are the same; `tsc` fails where they part. */
const same = <S extends z.ZodType, V>(
  _schema: S,
  ..._proof: z.infer<S> extends V ? (V extends z.infer<S> ? [] : ['the view has more']) : ['the schema has more']
): void => undefined

describe('a schema of the document', () => {
  test('is its view model', () => {
    same<typeof clusterSchema, ClusterView>(clusterSchema)
    same<typeof workloadSchema, WorkloadView>(workloadSchema)
    same<typeof workloadDetailSchema, WorkloadDetailView>(workloadDetailSchema)
    same<typeof aboutSchema, AboutView>(aboutSchema)
    same<typeof rebalancerSchema, RebalancerView>(rebalancerSchema)
    same<typeof rebalancePlanSchema, RebalancePlanView>(rebalancePlanSchema)
    same<typeof planRunSchema, PlanRunView>(planRunSchema)
    same<typeof whatIfSchema, WhatIfView>(whatIfSchema)
    same<typeof failbackSchema, FailbackView>(failbackSchema)
    same<typeof failoverEntrySchema, FailoverEntryView>(failoverEntrySchema)
    same<typeof failoverSummarySchema, FailoverSummaryView>(failoverSummarySchema)
    same<typeof pastFailoverSchema, PastFailoverView>(pastFailoverSchema)
    same<typeof clusterBlockersSchema, ClusterBlockersView>(clusterBlockersSchema)
    same<typeof failoverPlanSchema, FailoverPlanView>(failoverPlanSchema)
    same<typeof spreadSchema, SpreadView>(spreadSchema)
    same<typeof journalEntrySchema, JournalEntry>(journalEntrySchema)
    expectTypeOf<keyof z.infer<typeof workloadSchema>>().toEqualTypeOf<keyof WorkloadView>()
    expectTypeOf<keyof z.infer<typeof clusterSchema>>().toEqualTypeOf<keyof ClusterView>()
  })
})
