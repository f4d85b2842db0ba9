/** Injects the preserved state into new replicas, as labels. */
import type { BindingSpec } from '../../kube/kinds/binding'

/**
 * Returns the labels for the object in a cluster: the state preserved by the last task, with any purge mode, if the
 * workload is scheduled to this one cluster only and did not run there before. Empty otherwise, and after the task
 * ends. Upstream injects only for the purge mode Directly.
 */
export function injectedLabels(
  { gracefulEvictionTasks = [] }: Pick<BindingSpec, 'gracefulEvictionTasks'>,
  cluster: string,
  targets: number,
): Record<string, string> {
  const last = gracefulEvictionTasks.at(-1)
  if (targets !== 1 || !last || last.clustersBeforeFailover?.includes(cluster)) return {}
  return last.preservedLabelState ?? {}
}
