/** Suite `scenario-simulation`: webhook, controller and a workload together, step by step. */
import { simulateSteps, type SimulatedStep, type SimulationMode } from '../spread-simulation'
import { rulesIn, subsetsIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  subsets: object[]
  replicaSequence: number[]
  mode: SimulationMode
}

function judge({ input, output }: Case<Input, { steps: SimulatedStep[] }>): string | undefined {
  const steps = simulateSteps({
    subsets: subsetsIn(input.subsets),
    sizes: input.replicaSequence,
    mode: input.mode,
    rules: rulesIn(input),
  })
  return differs('steps', steps, output.steps)
}

export const suite: Suite = { name: 'scenario-simulation', judge: judge as Judge }
