import { describe, expect, it } from 'vitest'
import { simulationCommands } from './simulation-commands'

describe('commands for a simulated member', () => {
  it('change annotations of its Cluster object', () => {
    expect(simulationCommands('eu-1').map(({ command }) => command)).toEqual([
      'kubectl annotate cluster eu-1 --overwrite sim.evenkeel.io/state=down',
      'kubectl annotate cluster eu-1 --overwrite sim.evenkeel.io/state=up',
      'kubectl annotate cluster eu-1 --overwrite sim.evenkeel.io/nodes=3 sim.evenkeel.io/node-cpu=16 sim.evenkeel.io/node-memory=64Gi',
    ])
  })
})
