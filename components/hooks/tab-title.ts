import type { Text } from '@/lib/messages'
import type { SummaryView } from '@/lib/view/live'

/** The title of a background tab. Failures come first, because a tab shows only the beginning. */
export function titleWhileHidden(
  text: Text,
  title: string,
  { workloads, clusters }: Pick<SummaryView, 'workloads' | 'clusters'>,
): string {
  const failing = workloads.fail + (clusters?.fail ?? 0)
  return failing === 0 ? title : text('shell.failingInTitle', { n: failing, title })
}
