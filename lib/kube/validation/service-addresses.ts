/** The rules of the addresses of Services. */
import { deepEqual } from '@/lib/std/equal'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  textOfFindings,
  unsupportedField,
  validateChoice,
} from '../field-error'
import { blockContains, parseAddress, parseBlock } from '../cel/address'
import type { Service } from '../kinds'
import { problemOfNodePort } from '../service-range'
import { validateAddress, validateBlock, validateEndpointAddress } from './addresses'
import { checkPathSegment } from './formats'

type Spec = Service['spec']

const FAMILIES = ['IPv4', 'IPv6']
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** The cluster IPs of a Service and their families: upstream's ValidateServiceClusterIPsRelatedFields. */
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

/** The external IPs and source ranges of a Service. */
export function validateOutside(spec: Spec, before: Spec | undefined): FieldError[] {
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

interface Allocation {
  before: Spec | undefined
  address: string
  dryRun: boolean | undefined
}

/**
 * What is refused when a Service is given its addresses, which happens before anything else of it is judged. `address` is one
 * that could be given.
 */
export function validateAllocation(
  { spec, metadata: { name = '' } }: Service,
  { before, address, dryRun }: Allocation,
): FieldError[] {
  const addresses = allocateAddress({ spec, metadata: { name } }, { before, address, dryRun })
  return addresses.length > 0 || before ? addresses : validateNodePorts(spec)
}

/** Node ports are given out after the address, one after the other. The first that is not available ends it. */
function validateNodePorts({ type, ports = [] }: Spec): FieldError[] {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return []
  const taken = new Set<number>()
  for (const [index, { port, nodePort, protocol }] of ports.entries()) {
    if (!nodePort) continue
    // One number serves several protocols of a port.
    const shared = ports.slice(0, index).some((one) => one.port === port && one.protocol !== protocol)
    const problem = problemOfNodePort(nodePort, shared ? new Set() : taken)
    if (problem) return [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)]
    taken.add(nodePort)
  }
  return []
}

function allocateAddress(
  { spec, metadata: { name } }: { spec: Spec; metadata: { name: string } },
  { before, address, dryRun }: Allocation,
): FieldError[] {
  if (spec.type === 'ExternalName') return []
  const { clusterIPs = [], selector } = spec
  const found = [...validateInside(spec, before), ...validatePolicy(spec)]
  if (found.length > 0) return found
  const isHeadless = clusterIPs[0] === 'None'
  if (isHeadless && Object.keys(selector ?? {}).length === 0) return []
  const foreign = validateAvailable(spec)
  if (foreign.length > 0 || isHeadless) return foreign
  // What has an address keeps it.
  if (before && before.type !== 'ExternalName') return []
  const [asked] = clusterIPs
  const fail = (why: string): FieldError[] => [
    invalidField(
      'spec.clusterIPs',
      asked ? clusterIPs : [''],
      `failed to allocate IP${asked ? ` ${asked}` : ''}: ${why}`,
    ),
  ]
  const range = `the provided IP (${asked}) is not in the valid range. The range of valid IPs is ${RANGE}`
  if (asked && !isInRange(asked)) return fail(dryRun ? range : 'the provided network does not match the current range')
  const misnamed = dryRun ? undefined : textOfFindings(validateOwner(name))
  const subject = `IPAddress.networking.k8s.io ${JSON.stringify(asked ?? address)}`
  return misnamed === undefined ? [] : fail(`${subject} is invalid: ${misnamed}`)
}

function isInRange(ip: string): boolean {
  const [address, range] = [parseAddress(ip), parseBlock(RANGE)]
  return !address || !range || blockContains(range, address)
}

/** The record of an address names the Service that has it. */
function validateOwner(name: string): FieldError[] {
  const field = 'spec.parentRef.name'
  if (name === '') return [requiredField(field)]
  return checkPathSegment(name).map((problem) => invalidField(field, name, problem))
}

const ONE_FAMILY = "must be 'RequireDualStack' or 'PreferDualStack' when multiple"

function validatePolicy({ clusterIPs = [], ipFamilies = [], ipFamilyPolicy: policy }: Spec): FieldError[] {
  const isSingle = policy === 'SingleStack'
  const unavailable = clusterIPs.flatMap((ip, index) =>
    index >= ipFamilies.length && parseAddress(ip)?.family === 6
      ? [invalidField(`spec.clusterIPs[${index}]`, clusterIPs, 'IPv6 is not configured on this cluster')]
      : [],
  )
  return [
    ...(isSingle && clusterIPs.length === 2
      ? [invalidField('spec.ipFamilyPolicy', policy, `${ONE_FAMILY} cluster IPs are specified`)]
      : []),
    ...(isSingle && ipFamilies.length === 2
      ? [invalidField('spec.ipFamilyPolicy', policy, `${ONE_FAMILY} IP families are specified`)]
      : []),
    ...unavailable,
  ]
}

/** The server has addresses of one family. */
function validateAvailable({ ipFamilies = [], ipFamilyPolicy: policy }: Spec): FieldError[] {
  return [
    ...(policy === 'RequireDualStack'
      ? [invalidField('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === 'IPv6' ? [invalidField(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')] : [],
    ),
  ]
}
