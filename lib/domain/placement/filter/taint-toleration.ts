import { firstUntolerated, formatTaint } from '@/lib/kube/taint'
import type { FilterRule } from './rule'

const effects = ['NoSchedule', 'NoExecute']

/** Every taint that keeps workloads out is tolerated. Clusters that run the workload already are not asked. */
export const taintToleration: FilterRule = {
  name: 'TaintToleration',
  compile({ placement, positions }) {
    return ({ taints, name }) => {
      if (taints.length === 0 || positions.has(name)) return undefined
      const taint = firstUntolerated(taints, placement.clusterTolerations, effects)
      // upstream: karmada-scheduler, plugin TaintToleration
      return taint && `cluster(s) had untolerated taint {${formatTaint(taint)}}`
    }
  },
}
