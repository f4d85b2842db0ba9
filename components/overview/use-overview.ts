'use client'
import { useMemo } from 'react'
import { useCollection } from '../hooks/use-collection'
import { attentionOf } from './attention'
import { federationOf } from './federation'
import { flowsOf } from './flows'
import { overviewHeadline } from './headline'
import { useLossSurvey } from './resilience-panel'
import { totalsOf } from './totals'

/** All that the overview shows, derived from the collections that the other pages show. */
export function useOverview() {
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  const failover = useCollection('failover')
  const history = useCollection('failover-history')
  const plans = useCollection('plans')
  const rebalancers = useCollection('rebalancers')
  const queues = useCollection('queues')
  const survey = useLossSurvey()
  const known = clusters.refused === undefined ? clusters.items : undefined
  const flows = useMemo(
    () =>
      flowsOf({
        workloads: workloads.byId,
        failovers: failover.items,
        plans: plans.items,
        rebalancers: rebalancers.items,
      }),
    [workloads.byId, failover.items, plans.items, rebalancers.items],
  )
  const headline = useMemo(
    () =>
      overviewHeadline({ workloads: workloads.items, clusters: known, failovers: failover.items, past: history.items }),
    [workloads.items, known, failover.items, history.items],
  )
  const regions = useMemo(
    () => federationOf({ clusters: clusters.items, workloads: workloads.items, failovers: failover.items }),
    [clusters.items, workloads.items, failover.items],
  )
  const attention = useMemo(
    () =>
      attentionOf({
        workloads: workloads.items,
        clusters: clusters.items,
        failovers: failover.items,
        plans: plans.items,
        queues: queues.items,
        survey,
      }),
    [workloads.items, clusters.items, failover.items, plans.items, queues.items, survey],
  )
  const totals = useMemo(
    () => totalsOf({ workloads: workloads.items, clusters: known, flows }),
    [workloads.items, known, flows],
  )
  return {
    workloads,
    clusters,
    failover,
    history,
    plans,
    rebalancers,
    queues,
    survey,
    flows,
    headline,
    regions,
    attention,
    totals,
    loaded: workloads.loaded && (clusters.loaded || clusters.refused !== undefined),
  }
}

export type OverviewData = ReturnType<typeof useOverview>
