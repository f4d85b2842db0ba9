/** A target of the fuzzer: creates sequences from a seed, with guarantees beyond the general ones. */
import type { Rng } from '@/lib/std/rng'
import type { Step, StepAnswer } from './steps'
import type { Subject } from './subject'

/** Judges one kind of guarantee around one sequence. */
export interface Oracle {
  name: string
  /** Looks before the steps that are no setup; the answer is handed to `end`. Answers what is wrong, in sentences. */
  begin(subject: Subject, sequence: Sequence): Promise<(answers: readonly StepAnswer[]) => Promise<string[]>>
}

export interface Sequence {
  /** Part of the names of everything that the sequence makes. */
  name: string
  steps: readonly Step[]
  /** Who acts; rights of others may grow by theirs only. */
  actors?: readonly string[]
  /** What clears away; failures do not matter. */
  cleanup?: readonly Step[]
}

export interface Target {
  name: string
  generate(rng: Rng, name: string): Sequence
  oracles?: readonly Oracle[]
}
