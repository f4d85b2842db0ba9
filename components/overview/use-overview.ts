'use client'
import { useMemo } from 'react'
import type { ClusterView } from '@/lib/view/model'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { attentionOf } from './attention'
import { federationOf } from './federation'
import { flowsOf } from './flows'
import { overviewHeadline } from './headline'
import { useLossSurvey } from './use-loss-survey'
import { totalsOf } from './totals'
import { useNodes } from './use-nodes'

/** All that the overview shows, derived from the collections that the other pages show. */
export function useOverview() {
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  const failover = useCollection('failover')
  const history = useCollection('failover-history')
  const plans = useCollection('plans')
  const rebalancers = useCollection('rebalancers')
  const queues = useCollection('queues')
  const survey = useLossSurvey(clusters.items)
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
  const zoomed = useUrlState().get('region')
  const shown = useMemo(() => inRegion(clusters.items, zoomed), [clusters.items, zoomed])
  const nodes = useNodes(shown)
  const regions = useMemo(
    () => federationOf({ clusters: shown, workloads: workloads.items, failovers: failover.items, nodes }),
    [shown, workloads.items, failover.items, nodes],
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
    /** The region that is enlarged: `regions` has only that one. */
    zoomed: shown === clusters.items ? undefined : zoomed,
    attention,
    totals,
    loaded: workloads.loaded && (clusters.loaded || clusters.refused !== undefined),
  }
}

/** All clusters where there is no such region. */
function inRegion(clusters: readonly ClusterView[], region: string | undefined): readonly ClusterView[] {
  const within = region === undefined ? [] : clusters.filter((cluster) => cluster.region === region)
  return within.length === 0 ? clusters : within
}

export type OverviewData = ReturnType<typeof useOverview>
