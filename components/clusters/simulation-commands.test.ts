import { describe, expect, it } from 'vitest'
import { simulationCommands } from './simulation-commands'

describe('commands for a simulated member', () => {
  it('change annotations of its Cluster object through the kubeconfig of the data directory', () => {
    expect(simulationCommands('eu-1').map(({ command }) => command)).toEqual([
      'kubectl --kubeconfig .evenkeel/kubeconfig annotate cluster eu-1 --overwrite sim.evenkeel.io/state=down',
      'kubectl --kubeconfig .evenkeel/kubeconfig annotate cluster eu-1 --overwrite sim.evenkeel.io/state=up',
      'kubectl --kubeconfig .evenkeel/kubeconfig annotate cluster eu-1 --overwrite sim.evenkeel.io/nodes=3 sim.evenkeel.io/node-cpu=16 sim.evenkeel.io/node-memory=64Gi',
    ])
  })
})
