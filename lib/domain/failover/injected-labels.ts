/** The preserved state that new replicas get, as labels. */
import type { BindingSpec } from '../../kube/kinds/binding'

/**
 * The labels for the copy in a cluster: what the last task preserved, whatever its purge mode, if the workload runs in just
 * this one cluster and did not run there before. Empty otherwise, and when the task is over. Upstream injects only for
 * Directly.
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
