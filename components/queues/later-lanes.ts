import { laterPart } from '../ui/later-part'

/** `QueueLanes` with its texts, for whoever looks at queues as lanes. */
export const LaterLanes = laterPart(() => import('./queue-lanes').then((code) => code.QueueLanes))
