/** Advice that a real server gives with a creation. */
import type { ObjectMeta } from '@/lib/kube/object'
import { checkDnsLabel } from '@/lib/kube/validation/formats'
import type { Call } from '../call'
import type { Resource } from '../registry/resource'

const PODS_OF = 'Pod names and hostnames'
/** What the name of an object is used for besides being its name. */
const USES: Readonly<Record<string, string>> = {
  pods: "the Pod's hostname",
  'deployments.apps': PODS_OF, 'replicasets.apps': PODS_OF, 'statefulsets.apps': PODS_OF, 'jobs.batch': PODS_OF,
}

/** Warns about a name that makes no good host name, and about an owner that is named twice. */
export function warnAboutMetadata(call: Call, resource: Resource, sent: Partial<ObjectMeta>, name: string): void {
  const use = USES[resource.id]
  const problems = use === undefined ? [] : checkDnsLabel(name)
  if (problems.length > 0) {
    const advice = `which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`
    call.warn(`metadata.name: this is used in ${use}, ${advice}`)
  }
  const uids = (sent.ownerReferences ?? []).map(({ uid }) => uid)
  const repeated = new Set(uids.filter((uid, index) => uids.indexOf(uid) !== index))
  if (repeated.size === 0) return
  call.warn(
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and ' +
      'may reject such requests as early as 1.24; please fix your requests; ' +
      `duplicate UID(s) observed: ${[...repeated].join(', ')}`)
}
