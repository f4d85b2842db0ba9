/** The rules of nodes. */
import { deepEqual } from '@/lib/std/equal'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from '../field-error'
import type { Node } from '../kinds'
import type { UnknownObject } from '../object'
import { validateBlock } from './addresses'
import { checkLabelValue, checkQualifiedName } from './formats'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Node: its taints have a key and an effect. They are named as if they were metadata. */
export function validateNode(object: UnknownObject): FieldError[] {
  const { taints = [], podCIDRs = [] } = (object as unknown as Node).spec ?? {}
  return [
    ...validateTaints(taints),
    ...podCIDRs.flatMap((block, index) => validateBlock(block, `spec.podCIDRs[${index}]`)),
    ...(hasOneOfEachFamily(podCIDRs)
      ? []
      : [invalidField('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]),
  ]
}

interface Taint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string | null
}

function validateTaints(taints: readonly (Taint | null)[]): FieldError[] {
  const isRepeated = repeats()
  return taints.flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`
    const { key = '', value = '', effect = '', timeAdded = null } = taint ?? {}
    const findings = checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem))
    const problems = checkLabelValue(value)
    if (problems.length > 0) findings.push(invalidField(`${field}.value`, value, problems.join(';')))
    if (effect === '') findings.push(requiredField(`${field}.effect`))
    else if (!EFFECTS.includes(effect)) findings.push(unsupportedField(`${field}.effect`, effect, EFFECTS))
    if (!isRepeated(`${effect} ${key}`)) return findings
    const { message, ...duplicate } = duplicateField(field, {
      Key: key,
      Value: value,
      Effect: effect,
      TimeAdded: timeAdded,
    })
    return [...findings, { ...duplicate, message: `${message}: taints must be unique by key and effect pair` }]
  })
}

function hasOneOfEachFamily(blocks: readonly string[]): boolean {
  if (blocks.length < 2) return true
  return blocks.length === 2 && blocks[0]?.includes(':') !== blocks[1]?.includes(':')
}

const FIXED = 'node updates may not change'

/** What a node got from its cloud and for its pods stays. */
export function validateNodeUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  const [spec, before] = [(next as unknown as Node).spec ?? {}, (old as unknown as Node).spec ?? {}]
  const kept = (name: string): string => `${FIXED} ${name} except from "" to valid`
  return [
    ...(!before.podCIDRs?.length || deepEqual(spec.podCIDRs, before.podCIDRs)
      ? []
      : [forbiddenField('spec.podCIDRs', kept('podCIDR'))]),
    ...(!before.providerID || spec.providerID === before.providerID
      ? []
      : [forbiddenField('spec.providerID', kept('providerID'))]),
  ]
}
