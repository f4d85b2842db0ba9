/** Conditions as the built-in workloads write them; older than `metav1.Condition`, so nearly nothing is required. */
import { type Infer, int32, int64, object, string, time } from '../schema'
import { keyedList } from './lists'

/** A condition of a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, Pod, Node or Namespace. */
export const workloadCondition = object(
  {
    lastHeartbeatTime: time(),
    lastProbeTime: time(),
    lastTransitionTime: time(),
    lastUpdateTime: time(),
    message: string(),
    observedGeneration: int64(),
    reason: string(),
    status: string(),
    type: string(),
  },
  { required: ['type', 'status'] },
)

/** The condition list of a built-in workload, merged by type. */
export const workloadConditions = keyedList(workloadCondition, 'type')

/** Common counts in the status of workloads with replicas. */
export const replicaCounts = {
  availableReplicas: int32(),
  observedGeneration: int64(),
  readyReplicas: int32(),
  replicas: int32(),
}

export type WorkloadCondition = Infer<typeof workloadCondition>
