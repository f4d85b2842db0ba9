/** The words of the failover monitor. */
import type { Text } from '@/lib/messages'
import type { FailoverView, PastFailoverView } from '@/lib/view/failover-model'
import { causesOf } from '@/lib/view/project/cause'

type Stage = FailoverView['stage']

export const STAGES: readonly Stage[] = ['unhealthy', 'toleration', 'evicting', 'replaced', 'done']

const PRODUCERS = [
  ['application-failover', 'application'],
  ['TaintManager', 'taintManager'],
  ['evenkeel', 'operator'],
] as const

/** What the workload had to leave for, and who requested it; of entries without causes, the producer of the task. */
export function causeWord(
  text: Text,
  { causes, producer = '' }: Pick<FailoverView | PastFailoverView, 'causes' | 'producer'>,
): string {
  if (causes && causes.length > 0) return text.of(causesOf(causes))
  const known = PRODUCERS.find(([part]) => producer.includes(part))?.[1]
  return known ? text(`failover.producer.${known}`) : producer
}
