/** `metav1.Condition`, the form of conditions in every newer kind. */
import { int64, object, oneOf, string, time } from '../schema'

/** The form of a reason: one word in CamelCase. */
export const reasonPattern = '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'
const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
/** A name with an optional prefix, as labels have. */
export const qualifiedName = `^(${DNS_LABEL}(\\.${DNS_LABEL})*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`

/** One observation about an object. `lastTransitionTime` moves only when `status` changes. */
export const condition = object(
  {
    lastTransitionTime: time(),
    message: string({ maxLength: 32768 }),
    observedGeneration: int64({ minimum: 0 }),
    reason: string({ maxLength: 1024, minLength: 1, pattern: reasonPattern }),
    status: oneOf(['True', 'False', 'Unknown']),
    type: string({ maxLength: 316, pattern: qualifiedName }),
  },
  { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
)
