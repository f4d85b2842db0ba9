/** The rules of nodes. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, forbiddenField, invalidField, unsupportedField } from '../field-error'
import type { Node } from '../kinds'
import type { UnknownObject } from '../object'
import { validateBlock } from './addresses'
import { checkQualifiedName } from './formats'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Node: its taints have a key and an effect. They are named as if they were metadata. */
export function validateNode(object: UnknownObject): FieldError[] {
  const { taints = [], podCIDRs = [] } = (object as unknown as Node).spec ?? {}
  return [
    ...taints.flatMap((taint, index) => {
      const field = `metadata.taints[${index}]`
      const { key = '', effect = '' } = taint ?? {}
      return [
        ...checkQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)),
        ...(EFFECTS.includes(effect) ? [] : [unsupportedField(`${field}.effect`, effect, EFFECTS)]),
      ]
    }),
    ...podCIDRs.flatMap((block, index) => validateBlock(block, `spec.podCIDRs[${index}]`)),
    ...(hasOneOfEachFamily(podCIDRs)
      ? []
      : [invalidField('spec.podCIDRs', podCIDRs, 'may specify no more than one CIDR for each IP family')]),
  ]
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
