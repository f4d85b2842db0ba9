/** The names of resources, in the words of kube-apiserver. */
import { checkQualifiedName } from './formats'

/** Resources that are objects. */
export const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
])
/** Resources that a quota limits by a name without a domain. */
export const QUOTA_NAMES: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...COUNTED,
])
const CONTAINER_NAMES = new Set(['cpu', 'memory', 'ephemeral-storage'])
/** Resources that a pod can ask for as a whole, beside pages of memory. */
export const POD_NAMES: ReadonlySet<string> = new Set(['cpu', 'memory'])
const HUGE = /^hugepages-/
const HUGE_IN_QUOTA = /^(requests\.)?hugepages-/

/** The name of any resource. */
export function checkResourceName(name: string): string[] {
  const problems = checkQualifiedName(name)
  if (problems.length > 0 || name.includes('/')) return problems
  const isKnown = QUOTA_NAMES.has(name) || name === 'storage' || HUGE_IN_QUOTA.test(name)
  return isKnown ? [] : ['must be a standard resource type or fully qualified']
}

/** The name of a resource that a quota limits. */
export function checkQuotaName(name: string): string[] {
  const isKnown = name.includes('/') || QUOTA_NAMES.has(name) || HUGE_IN_QUOTA.test(name)
  return [...checkResourceName(name), ...(isKnown ? [] : ['must be a standard resource for quota'])]
}

/** The name of a resource that a container asks for. */
export function checkContainerResource(name: string): string[] {
  const problems = checkResourceName(name)
  if (name.includes('/')) {
    const isOwn = isNative(name) || isExtended(name)
    return isOwn ? problems : [...problems, "doesn't follow extended resource name standard"]
  }
  const isKnown = CONTAINER_NAMES.has(name) || HUGE.test(name)
  return isKnown ? problems : [...problems, 'must be a standard resource for containers']
}

/** A resource of Kubernetes itself. */
export const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

function isExtended(name: string): boolean {
  return !name.startsWith('requests.') && checkQualifiedName(`requests.${name}`).length === 0
}

/** Objects and devices come in whole numbers. */
export const isCounted = (name: string): boolean => COUNTED.has(name) || (!isNative(name) && isExtended(name))

/** False for what a container gets exactly as much of as it asks for. */
export function isSharedOut(name: string): boolean {
  return isNative(name) && !HUGE.test(name)
}

/** Pages that a container cannot use without a processor and memory. */
export const isHugePages = (name: string): boolean => HUGE.test(name)

/** The size of pages in the name of their resource. */
export const pageSizeOf = (name: string): string => name.replace(HUGE, '')
