/** What to type to shape a simulated member: annotations on its Cluster object, changed with plain kubectl. */
export interface SimulationCommand {
  name: 'down' | 'up' | 'capacity'
  command: string
}

/** Commands for one member, ready to be pasted into a shell. */
export function simulationCommands(cluster: string): SimulationCommand[] {
  const annotate = (...annotations: string[]) => {
    const values = annotations.map((annotation) => `sim.evenkeel.io/${annotation}`).join(' ')
    return `kubectl annotate cluster ${cluster} --overwrite ${values}`
  }
  return [
    { name: 'down', command: annotate('state=down') },
    { name: 'up', command: annotate('state=up') },
    { name: 'capacity', command: annotate('nodes=3', 'node-cpu=16', 'node-memory=64Gi') },
  ]
}

/** Adds a simulated member to the control plane. */
export const ADD_MEMBER = `kubectl apply -f - <<'EOF'
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: member1
  annotations:
    sim.evenkeel.io/nodes: "3"
    sim.evenkeel.io/node-cpu: "16"
    sim.evenkeel.io/node-memory: 64Gi
spec:
  syncMode: Push
EOF`
