/** The page of a workload. */
import type { BlockerView, WhyView, WorkloadDetailView, WorkloadView } from '../model'
import { appliedPlacement, toConditionView } from './binding-facts'
import { projectOverrides } from './overrides'
import { placementRules } from './placement'
import { type TimelineSnapshot, evictionTasks, projectTimeline } from './timeline'

export interface WorkloadDetailSnapshot extends TimelineSnapshot {
  /** The row of the same workload. */
  view: WorkloadView
  why: readonly WhyView[]
  blockedBy: readonly BlockerView[]
}

/** Returns the page of a workload: its row, and everything that explains it. */
export function projectWorkloadDetail(snapshot: WorkloadDetailSnapshot): WorkloadDetailView {
  const { view, binding, works, why, blockedBy } = snapshot
  return {
    ...view,
    conditions: (binding.status?.conditions ?? []).map(toConditionView),
    evictionTasks: evictionTasks(binding),
    overrides: projectOverrides(works),
    timeline: projectTimeline(snapshot),
    placement: placementRules(appliedPlacement(binding)),
    why: [...why],
    blockedBy: [...blockedBy],
    bindingObject: binding,
  }
}
