/** The rules of the status of a pod. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidField,
  requiredField,
} from '../field-error'
import type { Pod, PodSpec } from '../kinds'
import type { UnknownObject } from '../object'
import { isAddress, validateAddress } from './addresses'
import { validateContainerStatuses } from './container-status'
import { checkDnsLabel, checkQualifiedName, checkSubdomain } from './formats'
import { validateAnnotationUpdate, validatePodAnnotations } from './pod-annotations'

type Status = NonNullable<Pod['status']>

const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

/** A status as it may follow another one. */
export function validatePodStatus(next: UnknownObject, old: UnknownObject): FieldError[] {
  const { spec, status = {} } = next as unknown as Pod
  const before = (old as unknown as Pod).status ?? {}
  const [annotations = {}, oldAnnotations = {}] = [next.metadata.annotations, old.metadata.annotations]
  const { observedGeneration = 0, qosClass = '' } = status
  return [
    ...validateAnnotationUpdate(annotations, oldAnnotations, 'metadata.annotations'),
    ...validatePodAnnotations(annotations, spec, { field: 'metadata.annotations', old: oldAnnotations }),
    ...validateConditions(status.conditions ?? [], 'status.conditions'),
    ...validateNominatedNode(status, before, spec),
    ...validateGeneration(observedGeneration, 'status.observedGeneration'),
    ...(qosClass === (before.qosClass ?? '') ? [] : [invalidField('status.qosClass', qosClass, 'field is immutable')]),
    ...LISTS.flatMap((list) => validateRestarts(spec, list, { next: status[list] ?? [], old: before[list] ?? [] })),
    ...validateClaims(status.resourceClaimStatuses ?? [], spec, 'status.resourceClaimStatuses'),
    ...validateExtendedClaim(status.extendedResourceClaimStatus, spec, 'status.extendedResourceClaimStatus'),
    ...validateAddresses(status.podIPs ?? [], before.podIPs ?? [], 'status.podIPs'),
    ...validateHostAddresses(status, before, 'status.hostIPs'),
    ...validateContainerStatuses(status, spec),
  ]
}

function validateGeneration(generation: number, field: string): FieldError[] {
  return generation < 0 ? [invalidField(field, generation, 'must be a non-negative integer')] : []
}

const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized'])

function validateConditions(conditions: NonNullable<Status['conditions']>, field: string): FieldError[] {
  return conditions.flatMap(({ type = '', observedGeneration = 0 }, index) => [
    ...validateGeneration(observedGeneration, `${field}[${index}].observedGeneration`),
    ...(SYSTEM_CONDITIONS.has(type)
      ? []
      : checkQualifiedName(type).map((problem) => invalidField(`${field}[${index}].Type`, type, problem))),
  ])
}

function validateNominatedNode(
  { nominatedNodeName: node = '' }: Status,
  before: Status,
  { nodeName = '' }: PodSpec,
): FieldError[] {
  const field = 'status.nominatedNodeName'
  if (node === '' || node === before.nominatedNodeName) return []
  const bound = 'may not be set on pods that are already bound to a node'
  return [
    ...checkSubdomain(node).map((problem) => invalidField(field, node, problem)),
    ...(nodeName === '' ? [] : [forbiddenField(field, bound)]),
  ]
}

type Containers = NonNullable<PodSpec['containers']>

interface Statuses {
  next: NonNullable<Status['containerStatuses']>
  old: NonNullable<Status['containerStatuses']>
}

/** A container that ended stays so, unless it may be started again. */
function validateRestarts(spec: PodSpec, list: (typeof LISTS)[number], { next, old }: Statuses): FieldError[] {
  const containersOf = {
    containerStatuses: spec.containers ?? [],
    initContainerStatuses: spec.initContainers ?? [],
    ephemeralContainerStatuses: [],
  }
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const isRestartedAsAWhole = all.some(({ restartPolicyRules: rules = [] }) =>
    rules.some(({ action }) => action === 'RestartAllContainers'),
  )
  if (isRestartedAsAWhole && list !== 'ephemeralContainerStatuses') return []
  return old.flatMap(({ name, state }, index) => {
    const follower = next.find((one) => one.name === name)
    if (!state?.terminated || !follower || follower.state?.terminated) return []
    const container = containersOf[list].find((one) => one.name === name)
    if (container && startsAgain(container, spec, state.terminated.exitCode ?? 0)) return []
    return [forbiddenField(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state')]
  })
}

function startsAgain(container: Containers[number], spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy, restartPolicyRules = [] } = container
  const matches = ({ exitCodes }: (typeof restartPolicyRules)[number]): boolean => {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false
    return exitCodes !== undefined && isListed === (exitCodes.operator === 'In')
  }
  if (restartPolicy && restartPolicyRules.find(matches)?.action === 'Restart') return true
  switch (restartPolicy ?? spec.restartPolicy) {
    case 'OnFailure':
      return exitCode !== 0
    case 'Never':
      return false
    default:
      return true
  }
}

function validateClaims(
  statuses: NonNullable<Status['resourceClaimStatuses']>,
  { resourceClaims = [] }: PodSpec,
  field: string,
): FieldError[] {
  const isRepeated = repeats()
  const names = new Set(resourceClaims.map(({ name }) => name))
  return statuses.flatMap(({ name = '', resourceClaimName }, index) => {
    const at = `${field}[${index}]`
    return [
      ...(names.has(name)
        ? []
        : [invalidField(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`')]),
      ...(isRepeated(name) ? [duplicateField(`${at}.name`, name)] : []),
      ...(resourceClaimName === undefined
        ? []
        : checkSubdomain(resourceClaimName).map((problem) =>
            invalidField(`${at}.resourceClaimName`, resourceClaimName, problem),
          )),
    ]
  })
}

function validateExtendedClaim(
  claim: Status['extendedResourceClaimStatus'],
  { containers = [], initContainers = [] }: PodSpec,
  field: string,
): FieldError[] {
  if (!claim) return []
  const { requestMappings = [], resourceClaimName = '' } = claim
  const isRepeated = repeats()
  const lists = 'spec.initContainers.resources.requests or spec.containers.resources.requests'
  return [
    ...(requestMappings.length > 0
      ? []
      : [requiredField(`${field}.requestMappings`, 'at least one request mapping is required')]),
    ...requestMappings.flatMap(({ containerName = '', resourceName = '', requestName = '' }, index) => {
      const at = `${field}.requestMappings[${index}]`
      const container = [...containers, ...initContainers].find(({ name }) => name === containerName)
      const isRequested = Object.hasOwn(container?.resources?.requests ?? {}, resourceName)
      const unnamed = 'must match the name of an entry in spec.initContainers.name or spec.containers.name'
      const unasked = `must match the extended resource name of an entry in ${lists}`
      return [
        ...(container ? [] : [invalidField(`${at}.containerName`, containerName, unnamed)]),
        ...(!container || isRequested ? [] : [invalidField(`${at}.resourceName`, resourceName, unasked)]),
        ...checkDnsLabel(requestName).map((problem) => invalidField(`${field}.requestName`, requestName, problem)),
        ...(isRepeated(JSON.stringify([containerName, resourceName, requestName]))
          ? [
              duplicateField(`${at}.containerName`, containerName),
              duplicateField(`${at}.resourceName`, resourceName),
              duplicateField(`${at}.requestName`, requestName),
            ]
          : []),
      ]
    }),
    ...(resourceClaimName === ''
      ? [requiredField(`${field}.resourceClaimName`)]
      : checkSubdomain(resourceClaimName).map((problem) =>
          invalidField(`${field}.resourceClaimName`, resourceClaimName, problem),
        )),
  ]
}

type Addresses = readonly { ip?: string }[]

/** Valid addresses, or as they were; at most one of each family. */
function validateAddresses(addresses: Addresses, before: Addresses, field: string): FieldError[] {
  const kept = before.map(({ ip = '' }) => ip)
  const texts = addresses.map(({ ip = '' }) => ip)
  const findings = texts.flatMap((text, index) => validateAddress(text, `${field}[${index}]`, kept))
  if (texts.length < 2) return findings
  const unread = texts.findIndex((text) => !isAddress(text))
  const families = new Set(texts.map((text) => text.includes(':')))
  const isPair = unread < 0 && texts.length === 2 && families.size === 2
  return [
    ...findings,
    ...(unread < 0
      ? []
      : [
          internalFieldError(
            field,
            `failed to check for dual stack with error:invalid IP[${unread}]: ${texts[unread] ?? ''}`,
          ),
        ]),
    ...(isPair
      ? []
      : [
          invalidField(
            field,
            texts.map((IP) => ({ IP })),
            'may specify no more than one IP for each IP family',
          ),
        ]),
  ]
}

function validateHostAddresses({ hostIP = '', hostIPs = [] }: Status, before: Status, field: string): FieldError[] {
  const [first] = hostIPs
  if (!first) return []
  const ip = first.ip ?? ''
  return [
    ...(ip === hostIP ? [] : [invalidField(`${field}[0].ip`, ip, 'must be equal to `hostIP`')]),
    ...validateAddresses(hostIPs, before.hostIPs ?? [], field),
  ]
}
