/**
 * The annotations on a Cluster object by which a simulated member is shaped with plain `kubectl`.
 * A Cluster is simulated when it carries `sim.evenkeel.io/nodes`.
 */
import type { KubeObject } from './object'

export const SIM_STATE = 'sim.evenkeel.io/state'
export const SIM_NODES = 'sim.evenkeel.io/nodes'
export const SIM_NODE_CPU = 'sim.evenkeel.io/node-cpu'
export const SIM_NODE_MEMORY = 'sim.evenkeel.io/node-memory'
export const SIM_READY_AFTER = 'sim.evenkeel.io/ready-after'
export const SIM_UNHEALTHY = 'sim.evenkeel.io/unhealthy'

/** True for a member cluster that lives inside the embedded control plane. */
export function isSimulated(cluster: KubeObject): boolean {
  return cluster.metadata.annotations?.[SIM_NODES] !== undefined
}

/** True while a simulated member does not answer. */
export function isDown(cluster: KubeObject): boolean {
  return cluster.metadata.annotations?.[SIM_STATE] === 'down'
}
