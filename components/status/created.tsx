import { Rich } from '../messages/rich'
import { Ago } from './ago'

/** When an object was created, and by whom. */
export function Created({ time, user }: { time: string; user: string | undefined }) {
  const parts = { ago: <Ago time={time} /> }
  return user ? (
    <Rich code="plan.page.createdBy" args={{ user }} parts={parts} />
  ) : (
    <Rich code="plan.page.created" parts={parts} />
  )
}
