/** Runs one sequence on both servers and compares the responses. */
import { compareResponse } from '@/tools/conformance/sessions/compare-response'
import { bindingsOf, playStep, type Target } from '@/tools/conformance/sessions/exchanges'
import type { RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import { Recorder } from '@/tools/conformance/sessions/record'
import type { Received } from '@/tools/conformance/sessions/requests'
import type { Draft } from './family'

export interface Servers {
  reference: Target
  subject: Target
}

export interface Difference {
  step: RecordedStep
  what: string
}

export interface Played {
  /** The steps with the answers of the reference. */
  steps: RecordedStep[]
  differences: Difference[]
}

/** Any deviation of the subject from the reference is a difference. */
export async function play(servers: Servers, drafts: readonly Draft[], unique: string): Promise<Played> {
  const steps = drafts.map((draft, index): RecordedStep => ({ id: String(index), ...structuredClone(draft) }))
  const subjectBindings = bindingsOf(servers.subject, unique)
  const [expected, found] = await Promise.all([
    answers(servers.reference, steps, bindingsOf(servers.reference, unique)),
    answers(servers.subject, steps, subjectBindings),
  ])
  const recorder = new Recorder(unique, Date.now())
  const differences: Difference[] = []
  for (const [index, { step, received }] of expected.entries()) {
    // Nothing to compare: a value that was not captured, or a connection that the reference closed.
    if (received instanceof Error) break
    step.response = recorder.record(step, received)
    const answer = found[index]?.received
    if (answer === undefined || answer instanceof Error) {
      differences.push({ step, what: `: ${String(answer)}` })
      break
    }
    const what = compareResponse(step, step.response, answer, subjectBindings)
    if (what !== undefined) differences.push({ step, what })
  }
  return { steps, differences }
}

async function answers(
  target: Target,
  steps: readonly RecordedStep[],
  bindings: ReturnType<typeof bindingsOf>,
): Promise<{ step: RecordedStep; received: Received | Error }[]> {
  const all: { step: RecordedStep; received: Received | Error }[] = []
  for (const step of steps) {
    try {
      await playStep(step, target, bindings, (one, received) => void all.push({ step: one, received }))
    } catch (error) {
      all.push({ step, received: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return all
}
