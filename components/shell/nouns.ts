/** What lists hold. */
import { type Message, message } from '@/lib/messages/message'

export type Noun = 'workload' | 'cluster' | 'queue' | 'plan' | 'rebalancer' | 'spread' | 'failover'
export type Subject = `${Noun}s` | 'this queue' | 'this workload'

/** "workloads", "this queue", as part of a sentence. */
export function nounOf(subject: Subject): Message {
  if (subject === 'this queue') return message('common.this.queue')
  if (subject === 'this workload') return message('common.this.workload')
  return message(`common.plural.${subject.slice(0, -1) as Noun}`)
}
