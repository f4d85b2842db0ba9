/** The rules of nodes. */
import { invalidField, type FieldError, unsupportedField } from '../field-error'
import type { Node } from '../kinds'
import type { UnknownObject } from '../object'
import { checkQualifiedName } from './formats'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Node: its taints have a key and an effect. They are named as if they were metadata. */
export function validateNode(object: UnknownObject): FieldError[] {
  const taints = (object as unknown as Node).spec?.taints ?? []
  return taints.flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`
    const { key = '', effect = '' } = taint ?? {}
    return [
      ...checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)),
      ...(EFFECTS.includes(effect) ? [] : [unsupportedField(`${field}.effect`, effect, EFFECTS)]),
    ]
  })
}
