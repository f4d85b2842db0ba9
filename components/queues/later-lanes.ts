import { laterPart } from '../ui/later-part'

/** `QueueLanes` with its texts, loaded when queues are shown as lanes. */
export const LaterLanes = laterPart(() => import('./queue-lanes').then((code) => code.QueueLanes))
