/** Makes the sequence of a finding smaller: leaves out one step after the other as long as the finding stays. */
import type { Complaint } from './finding'
import { type Limits, play } from './play'
import type { Step } from './steps'
import { Subject } from './subject'
import type { Sequence, Target } from './target'

export interface Minimised {
  confirmed: boolean
  steps: readonly Step[]
}

export interface MinimiseOptions {
  target: Target
  sequence: Sequence
  complaint: Complaint
  limits: Limits
  /** Milliseconds for all tries. */
  budgetMs: number
}

/** Uses its own products, so that the state of the run is kept. */
export async function minimise({ target, sequence, complaint, limits, budgetMs }: MinimiseOptions): Promise<Minimised> {
  const deadline = performance.now() + budgetMs
  const subject = await Subject.start()
  let round = 0
  try {
    const shows = async (steps: readonly Step[]): Promise<boolean> => {
      if (round > 0 && !(await subject.alive)) await subject.renew()
      const renamed = renameAll({ ...sequence, steps }, `${sequence.name}r${round++}`)
      const { complaints } = await play(subject, { target, sequence: renamed, limits })
      return complaints.some(({ oracle }) => oracle === complaint.oracle)
    }
    let steps = sequence.steps
    if (!(await shows(steps))) return { confirmed: false, steps }
    for (let at = steps.length - 1; at >= 0 && performance.now() < deadline; at--) {
      const step = steps[at] as Step
      if ('setup' in step && step.setup) continue
      const fewer = steps.toSpliced(at, 1)
      if (fewer.length > 0 && (await shows(fewer))) steps = fewer
    }
    return { confirmed: true, steps }
  } finally {
    await subject.stop()
  }
}

/** The same sequence with new objects: objects of earlier tries must have no effect. */
function renameAll(sequence: Sequence, name: string): Sequence {
  return JSON.parse(JSON.stringify(sequence).replaceAll(sequence.name, name)) as Sequence
}
