/** The rules of the addresses behind Services. */
import { deepEqual } from '@/lib/std/equal'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooManyItems,
  validateChoice,
} from '../field-error'
import type { Endpoints, EndpointSlice } from '../kinds'
import type { UnknownObject } from '../object'
import { canonicalAddress, isOfFamily, validateAddress, validateEndpointAddress } from './addresses'
import { checkDnsLabel, checkLabelValue, checkQualifiedName, checkSubdomain } from './formats'
import { validatePort } from './numbers'

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

type Check = (value: string) => string[]

/** A text that is absent is right. */
function checkText(value: string | undefined, check: Check, field: string): FieldError[] {
  return value === undefined ? [] : check(value).map((problem) => invalidField(field, value, problem))
}

type Subset = NonNullable<Endpoints['subsets']>[number]

/** Endpoints: each subset has addresses, and ports that can be told apart. */
export function validateEndpoints(object: UnknownObject): FieldError[] {
  return ((object as unknown as Endpoints).subsets ?? []).flatMap((subset, index) =>
    validateSubset(subset, `subsets[${index}]`),
  )
}

function validateSubset({ addresses = [], notReadyAddresses = [], ports = [] }: Subset, field: string): FieldError[] {
  return [
    ...(addresses.length + notReadyAddresses.length > 0
      ? []
      : [requiredField(field, 'must specify `addresses` or `notReadyAddresses`')]),
    ...addresses.flatMap((address, index) => validateSubsetAddress(address, `${field}.addresses[${index}]`)),
    ...notReadyAddresses.flatMap((address, index) =>
      validateSubsetAddress(address, `${field}.notReadyAddresses[${index}]`),
    ),
    ...ports.flatMap((port, index) => validateSubsetPort(port, ports.length > 1, `${field}.ports[${index}]`)),
  ]
}

function validateSubsetAddress(
  { ip = '', hostname, nodeName }: NonNullable<Subset['addresses']>[number],
  field: string,
): FieldError[] {
  return [
    ...validateAddress(ip, `${field}.ip`),
    ...(hostname ? checkText(hostname, checkDnsLabel, `${field}.hostname`) : []),
    ...checkText(nodeName, checkSubdomain, `${field}.nodeName`),
    ...validateEndpointAddress(ip, `${field}.ip`),
  ]
}

function validateSubsetPort(
  { name = '', port, protocol, appProtocol }: NonNullable<Subset['ports']>[number],
  needsName: boolean,
  field: string,
): FieldError[] {
  return [
    ...(name === '' && needsName ? [requiredField(`${field}.name`)] : []),
    ...(name === '' ? [] : checkText(name, checkDnsLabel, `${field}.name`)),
    ...validatePort(port, `${field}.port`),
    ...checkText(appProtocol, checkQualifiedName, `${field}.appProtocol`),
    ...(protocol ? [] : [requiredField(`${field}.protocol`)]),
  ]
}

const MOST_ADDRESSES = 100

/** EndpointSlice: addresses of one family behind ports that can be told apart. */
export function validateEndpointSlice(object: UnknownObject, old?: UnknownObject): FieldError[] {
  const { addressType, endpoints: all, ports } = object as unknown as EndpointSlice
  const endpoints = old && deepEqual(all, old.endpoints) ? [] : all
  const names = (ports ?? []).map(({ name = '' }) => name)
  return [
    ...(addressType ? [] : [requiredField('addressType')]),
    ...(ports ?? []).flatMap(({ name = '', protocol, appProtocol }, index) => [
      ...(name === '' ? [] : checkText(name, checkDnsLabel, `ports[${index}].name`)),
      ...(names.indexOf(name) < index ? [duplicateField(`ports[${index}].name`, name)] : []),
      ...validateChoice(protocol, PROTOCOLS, `ports[${index}].protocol`),
      ...checkText(appProtocol, checkQualifiedName, `ports[${index}].appProtocol`),
    ]),
    ...(endpoints ?? []).flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, `endpoints[${index}]`)),
  ]
}

type Endpoint = EndpointSlice['endpoints'][number]

function validateEndpoint(
  { addresses, nodeName, hostname, hints }: Endpoint,
  type: EndpointSlice['addressType'],
  field: string,
): FieldError[] {
  const count = addresses?.length ?? 0
  return [
    ...(count === 0 ? [requiredField(`${field}.addresses`, 'must contain at least 1 address')] : []),
    ...(count > MOST_ADDRESSES ? [tooManyItems(`${field}.addresses`, count, MOST_ADDRESSES)] : []),
    ...(addresses ?? []).flatMap((address, index) =>
      type === 'FQDN'
        ? checkText(address, checkSubdomain, `${field}.addresses[${index}]`)
        : validateFamily(address ?? '', type, { list: `${field}.addresses`, index }),
    ),
    ...checkText(nodeName, checkSubdomain, `${field}.nodeName`),
    ...checkText(hostname, checkDnsLabel, `${field}.hostname`),
    ...validateHints(hints?.forZones ?? [], checkLabelValue, `${field}.hints.forZones`),
    ...validateHints(hints?.forNodes ?? [], checkSubdomain, `${field}.hints.forNodes`),
  ]
}

const MOST_HINTS = 8

/** For whom an endpoint is meant: zones or nodes, each once. */
function validateHints(hints: readonly { name?: string }[], check: Check, field: string): FieldError[] {
  if (hints.length > MOST_HINTS) return [tooManyItems(field, hints.length, MOST_HINTS)]
  const isRepeated = repeats()
  return hints.flatMap(({ name = '' }, index) => [
    ...(isRepeated(name) ? [duplicateField(`${field}[${index}].name`, name)] : []),
    ...checkText(name, check, `${field}[${index}].name`),
  ])
}

function validateFamily(
  address: string,
  type: EndpointSlice['addressType'],
  { list, index }: { list: string; index: number },
): FieldError[] {
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const malformed = validateAddress(address, `${list}[${index}]`)
  if (malformed.length > 0) return malformed
  const canonical = canonicalAddress(address)
  if (canonical !== address)
    return [invalidField(`${list}[${index}]`, address, `must be in canonical form (${JSON.stringify(canonical)})`)]
  return [
    ...(isOfFamily(address, type === 'IPv4' ? 4 : 6)
      ? []
      : [invalidField(list, address, `must be an ${type} address`)]),
    ...validateEndpointAddress(address, `${list}[${index}]`),
  ]
}

/** The family of a slice is part of its identity. */
export function validateEndpointSliceUpdate(next: UnknownObject, old: UnknownObject): FieldError[] {
  return deepEqual(next.addressType, old.addressType)
    ? []
    : [invalidField('addressType', next.addressType ?? '', 'field is immutable')]
}
