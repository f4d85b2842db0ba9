import { firstUntolerated, formatTaint } from '@/lib/kube/taint'
import type { FilterRule } from './rule'

const effects = ['NoSchedule', 'NoExecute']

/** Requires that every scheduling taint is tolerated. Clusters that already run the workload are exempt. */
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
