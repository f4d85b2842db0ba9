'use client'
import {
  createQueueNeeds,
  deleteQueueNeeds,
  editQueueNeeds,
  holdQueueNeeds,
  reorderNeeds,
  steerBindingNeeds,
} from '@/lib/view/needs'
import { useMay } from '../hooks/use-can'

interface QueueName {
  namespace: string
  name: string
}

/** Whether the reader may hold and resume a queue. */
export const useCanHoldQueue = (queue: QueueName) => useMay(holdQueueNeeds(queue))

/** Whether the reader may change the settings of a queue; some of them need more, as its admission says then. */
export const useCanEditQueue = (queue: QueueName) => useMay(editQueueNeeds(queue))

export const useCanDeleteQueue = (queue: QueueName) => useMay(deleteQueueNeeds(queue))

/** Whether the reader may make queues; without a namespace: everywhere. */
export const useCanCreateQueue = (namespace?: string) => useMay(createQueueNeeds([namespace]))

/** Whether the reader may suspend and resume workloads of a namespace, or the one of this name. */
export const useCanSteerBindings = (namespace: string, name?: string) => useMay(steerBindingNeeds(namespace, name))

/** Whether the reader may change the order of a queue, for a workload in `namespace`; default: that of the queue. */
export const useCanReorder = (queue: QueueName, namespace = queue.namespace) => useMay(reorderNeeds(queue, namespace))
