/** The rules of the addresses of Services. */
import { deepEqual } from '@/lib/std/equal'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import { blockContains, parseAddress, parseBlock } from '../cel/address'
import type { Service } from '../kinds'
import { validateAddress, validateBlock, validateEndpointAddress } from './addresses'

type Spec = Service['spec']

const FAMILIES = ['IPv4', 'IPv6']
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** The cluster IPs, external IPs and source ranges of a Service. */
export function validateServiceAddresses(spec: Spec, before?: Spec): FieldError[] {
  return [...validateInside(spec, before), ...validateOutside(spec, before)]
}

function validateInside(spec: Spec, before: Spec | undefined): FieldError[] {
  if (spec.type === 'ExternalName') return []
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy: policy } = spec
  const field = 'spec.clusterIPs'
  const first = clusterIPs[0]
  const misplaced = first === 'None' && clusterIPs.length > 1
  return [
    ...(clusterIP && first === undefined ? [requiredField(field)] : []),
    ...(clusterIP && first !== undefined && first !== clusterIP
      ? [invalidField(field, clusterIPs, 'first value must match `clusterIP`')]
      : []),
    ...(!clusterIP && clusterIPs.length > 0
      ? [invalidField(field, clusterIPs, 'must be empty when `clusterIP` is not specified')]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      FAMILIES.includes(family) ? [] : [unsupportedField(`spec.ipFamilies[${index}]`, family, FAMILIES)],
    ),
    ...validateChoice(policy, POLICIES, 'spec.ipFamilyPolicy'),
    ...(misplaced ? [invalidField(field, clusterIPs, "'None' must be the first and only value")] : []),
    ...clusterIPs.flatMap((ip, index) =>
      index === 0 && ip === 'None' ? [] : validateAddress(ip, `${field}[${index}]`, before?.clusterIPs),
    ),
    ...(clusterIPs.length > 2 ? [invalidField(field, clusterIPs, 'may only hold up to 2 values')] : []),
    ...validateFamilies(clusterIPs, ipFamilies),
  ]
}

/** Each address is of the family that is named for it. */
function validateFamilies(clusterIPs: readonly string[], families: readonly string[]): FieldError[] {
  return clusterIPs.flatMap((ip, index) => {
    const [family, address] = [families[index], parseAddress(ip)]
    const wrong = family !== undefined && FAMILIES.includes(family) && address && `IPv${address.family}` !== family
    const rule = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``
    return wrong ? [invalidField(`spec.clusterIPs[${index}]`, ip, rule)] : []
  })
}

function validateOutside(spec: Spec, before: Spec | undefined): FieldError[] {
  const { externalIPs = [], loadBalancerSourceRanges: ranges = [], type } = spec
  const field = 'spec.LoadBalancerSourceRanges'
  const known = deepEqual(ranges, before?.loadBalancerSourceRanges)
  return [
    ...externalIPs.flatMap((ip, index) => {
      const at = `spec.externalIPs[${index}]`
      const wrong = validateAddress(ip, at, before?.externalIPs)
      return wrong.length > 0 ? wrong : validateEndpointAddress(ip, at)
    }),
    ...(ranges.length > 0 && type !== 'LoadBalancer'
      ? [forbiddenField(field, "may only be used when `type` is 'LoadBalancer'")]
      : []),
    ...(known ? [] : ranges.flatMap((range, index) => validateBlock(range.trim(), `${field}[${index}]`))),
  ]
}

/** Where addresses of new Services come from. */
const RANGE = '10.96.0.0/12'

/** The address of a new Service is in the range of the server, and of its family. */
export function validateAllocation({ type, clusterIPs = [], ipFamilies = [] }: Spec): FieldError[] {
  if (type === 'ExternalName') return []
  const foreign = ipFamilies.findIndex((family) => family === 'IPv6')
  if (foreign >= 0 && clusterIPs[0] !== 'None')
    return [invalidField(`spec.ipFamilies[${foreign}]`, 'IPv6', 'not configured on this cluster')]
  const [ip = 'None'] = clusterIPs
  const [address, range] = [parseAddress(ip), parseBlock(RANGE)]
  if (!address || !range || blockContains(range, address)) return []
  const problem = `failed to allocate IP ${ip}: the provided network does not match the current range`
  return [invalidField('spec.clusterIPs', clusterIPs, problem)]
}
