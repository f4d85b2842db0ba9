/** What lists hold. */
import { type Message, message } from '@/lib/messages/message'

export type Noun = 'workload' | 'cluster' | 'queue' | 'plan' | 'rebalancer' | 'spread' | 'failover' | 'policy'
export type Subject = `${Exclude<Noun, 'policy'>}s` | 'policies' | 'this queue' | 'this workload'

/** Several of them. */
export const pluralOf = (noun: Noun): Subject => (noun === 'policy' ? 'policies' : `${noun}s`)

/** "workloads", "this queue", as part of a sentence. */
export function nounOf(subject: Subject): Message {
  if (subject === 'this queue') return message('common.this.queue')
  if (subject === 'this workload') return message('common.this.workload')
  if (subject === 'policies') return message('common.plural.policy')
  return message(`common.plural.${subject.slice(0, -1) as Noun}`)
}
