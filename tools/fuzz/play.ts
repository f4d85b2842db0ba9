/** Plays one sequence on a product and asks every oracle about it. */
import type { Complaint } from './finding'
import type { Measure } from './measure'
import { TOO_LATE } from './http-client'
import { HIDDEN } from './stage'
import { type Step, type StepAnswer, TENANT } from './steps'
import type { Subject } from './subject'
import type { Sequence, Target } from './target'

export interface Limits {
  /** Longest delay of the event loop, ms. Counts when the main thread computed for at least half of it. */
  delayMs: number
  heapMiB: number
  /** In addition to the idle ones. */
  descriptors: number
}

export interface Played {
  complaints: Complaint[]
  measure?: Measure
  /** False when the process ended. */
  alive: boolean
}

const isSetup = (step: Step): boolean => 'setup' in step && step.setup === true

/** Never rejects for what the product does: that is a complaint. */
export async function play(
  subject: Subject,
  { target, sequence, limits }: { target: Target; sequence: Sequence; limits: Limits },
): Promise<Played> {
  for (const step of sequence.steps.filter(isSetup)) await subject.send(step)
  const attack = sequence.steps.filter((step) => !isSetup(step))
  const acting = { ...sequence, steps: attack }
  try {
    const ends = await Promise.all(
      (target.oracles ?? []).map(async (oracle) => ({ oracle, end: await oracle.begin(subject, acting) })),
    )
    const before = await subject.measure()
    const answers: StepAnswer[] = []
    for (const step of attack) {
      answers.push(await subject.send(step))
      if (!(await subject.alive)) return ended(subject, answers.at(-1))
    }
    const after = await subject.measure()
    const complaints = [...answersAt(attack, answers), ...resources({ before, after, limits })]
    for (const { oracle, end } of ends) {
      complaints.push(...(await end(answers)).map((what) => ({ oracle: oracle.name, what })))
    }
    if (!(await subject.alive)) return ended(subject)
    for (const step of sequence.cleanup ?? []) await subject.send(step)
    return { complaints, measure: after, alive: true }
  } catch (error) {
    if (!(await subject.alive)) return ended(subject)
    return {
      complaints: [{ oracle: 'answer', what: `an oracle was not answered: ${String(error).slice(0, 300)}` }],
      alive: true,
    }
  }
}

function ended(subject: Subject, last?: StepAnswer): Played {
  const what = `the process ended: ${last?.status === 0 ? `${last.body}\n` : ''}${subject.lastOutput}`
  // A process without response is killed: on a busy machine this may not be reproducible.
  return { complaints: [{ oracle: last?.body.includes(TOO_LATE) ? 'answer' : 'crash', what }], alive: false }
}

function answersAt(steps: readonly Step[], answers: readonly StepAnswer[]): Complaint[] {
  return answers.flatMap((answer, index) => complaintsAbout(steps[index] as Step, answer))
}

function complaintsAbout(step: Step, { status, body, complaint }: StepAnswer): Complaint[] {
  const found: Complaint[] = []
  if (complaint !== undefined) found.push({ oracle: 'answer', what: `${complaint}: ${body.slice(0, 400)}` })
  if (status === 0 && step.do !== 'raw') found.push({ oracle: 'answer', what: `no answer: ${body.slice(0, 200)}` })
  if (step.do === 'wait' && step.otherwise !== undefined && status === 504)
    found.push({ oracle: 'progress', what: step.otherwise })
  const byTenant = step.do !== 'wait' && (step.do !== 'request' || step.as === TENANT)
  if (byTenant && body.includes(HIDDEN) && !JSON.stringify(step).includes(HIDDEN)) {
    found.push({
      oracle: 'privilege',
      what: `the tenant reads of ${HIDDEN}: ${body.slice(Math.max(0, body.indexOf(HIDDEN) - 100)).slice(0, 200)}`,
    })
  }
  return found
}

interface Period {
  before: Measure
  after: Measure
  limits: Limits
}

/** Real time alone is no complaint: another process may have had the processor. */
function resources({ before, after, limits }: Period): Complaint[] {
  const found: Complaint[] = []
  const busy = after.busyMs === undefined || before.busyMs === undefined ? Infinity : after.busyMs - before.busyMs
  const late = Math.min(after.delayMs, busy)
  if (late > limits.delayMs)
    found.push({ oracle: 'resource', what: `the event loop stood still for ${Math.round(late)} ms` })
  if (after.heapMiB > limits.heapMiB) found.push({ oracle: 'resource', what: `the heap holds ${after.heapMiB} MiB` })
  if (after.descriptors > limits.descriptors)
    found.push({ oracle: 'resource', what: `${after.descriptors} descriptors are open` })
  return found
}
