/** The rules of what the status of a pod says of its containers' users and devices. */
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from '../field-error'
import type { ContainerStatus, Pod, PodSpec } from '../kinds'
import { validateId } from './security-context'

type Status = NonNullable<Pod['status']>
type Containers = NonNullable<PodSpec['containers']>

const HEALTHS = ['Healthy', 'Unhealthy', 'Unknown']
const MAX_HEALTH_MESSAGE_LENGTH = 256

export function validateContainerStatuses(
  status: Status,
  { containers = [], initContainers = [], os }: PodSpec,
): FieldError[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status
  const system = os?.name ?? 'linux'
  return [
    ...validateUsers(containerStatuses, 'status.containerStatuses', system),
    ...validateUsers(initContainerStatuses, 'status.initContainerStatuses', system),
    ...validateUsers(ephemeralContainerStatuses, 'status.ephemeralContainerStatuses', system),
    ...validateDevices(containerStatuses, containers, 'status.containerStatuses'),
    ...validateDevices(initContainerStatuses, initContainers, 'status.initContainerStatuses'),
    ...ephemeralContainerStatuses.flatMap(({ allocatedResourcesStatus }, index) =>
      allocatedResourcesStatus?.length
        ? [
            forbiddenField(
              `status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`,
              'must not be specified in container status',
            ),
          ]
        : [],
    ),
  ]
}

function validateUsers(statuses: readonly ContainerStatus[], field: string, system: string): FieldError[] {
  return statuses.flatMap(({ user }, index) => {
    const at = `${field}[${index}].user.linux`
    if (!user?.linux) return []
    if (system === 'windows') return [forbiddenField(at, 'cannot be set for a windows pod')]
    if (system !== 'linux') return []
    const { uid = 0, gid = 0, supplementalGroups = [] } = user.linux
    return [
      ...validateId(uid, `${at}.uid`),
      ...validateId(gid, `${at}.gid`),
      ...supplementalGroups.flatMap((group, place) => validateId(group, `${at}.supplementalGroups[${place}]`)),
    ]
  })
}

type Devices = NonNullable<ContainerStatus['allocatedResourcesStatus']>[number]

/** Only of resources and claims that a container asks for. */
function validateDevices(statuses: readonly ContainerStatus[], containers: Containers, field: string): FieldError[] {
  return statuses.flatMap(({ name, allocatedResourcesStatus = [] }, index) => {
    const container = containers.find((one) => one.name === name)
    return allocatedResourcesStatus.flatMap((devices, place) => {
      const at = `${field}[${index}].allocatedResourcesStatus[${place}]`
      return [...(container ? validateAsked(devices, container, `${at}.name`) : []), ...validateHealth(devices, at)]
    })
  })
}

function validateAsked({ name = '' }: Devices, { resources }: Containers[number], field: string): FieldError[] {
  const { claims = [], requests = {} } = resources ?? {}
  const claimed = claims.map((claim) => `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`)
  if (name.startsWith('claim:')) {
    const rule =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    return claimed.includes(name) ? [] : [invalidField(field, name, rule)]
  }
  return Object.hasOwn(requests, name)
    ? []
    : [invalidField(field, name, "must match one of the container's resource requests")]
}

function validateHealth({ resources = [] }: Devices, field: string): FieldError[] {
  const isRepeated = repeats()
  return resources.flatMap(({ health = '', message, resourceID = '' }, index) => {
    const at = `${field}.resources[${index}]`
    return [
      ...(HEALTHS.includes(health) ? [] : [unsupportedField(`${at}.health`, health, HEALTHS)]),
      ...(message === '' ? [requiredField(`${at}.message`, 'must be non-empty if specified')] : []),
      ...(message !== undefined && message.length > MAX_HEALTH_MESSAGE_LENGTH
        ? [tooLongField(`${at}.message`, MAX_HEALTH_MESSAGE_LENGTH)]
        : []),
      ...(isRepeated(resourceID) ? [duplicateField(`${at}.resourceID`, resourceID)] : []),
    ]
  })
}
