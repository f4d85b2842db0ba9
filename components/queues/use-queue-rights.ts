'use client'
import { useCan, useMay } from '../hooks/use-can'

const QUEUES = { group: 'evenkeel.io', resource: 'queues' }

/** Whether the reader may hold and resume a queue. */
export const useCanHoldQueue = ({ namespace, name }: { namespace: string; name: string }) => useCan({ verb: 'patch', ...QUEUES, namespace, name })

/** Whether the reader may change the settings of a queue; some of them need more, as its admission says then. */
export const useCanEditQueue = ({ namespace, name }: { namespace: string; name: string }) => useCan({ verb: 'update', ...QUEUES, namespace, name })

export const useCanDeleteQueue = ({ namespace, name }: { namespace: string; name: string }) => useCan({ verb: 'delete', ...QUEUES, namespace, name })

/** Whether the reader may make queues; without a namespace: everywhere. */
export const useCanCreateQueue = (namespace?: string) => useCan({ verb: 'create', ...QUEUES, ...(namespace && { namespace }) })

const patchBindings = (namespace: string) => ({ verb: 'patch', group: 'work.karmada.io', resource: 'resourcebindings', namespace })

/** Whether the reader may suspend and resume workloads of a namespace. */
export const useCanSteerBindings = (namespace: string) => useCan(patchBindings(namespace))

/** Whether the reader may say whose turn it is in a queue, of a workload in `namespace`; default: that of the queue. */
export const useCanReorder = ({ namespace: home, name }: { namespace: string; name: string }, namespace = home) =>
  useMay([{ verb: 'update', ...QUEUES, namespace: home, name }, patchBindings(namespace)])
