/** Which FlowSchema and priority level of kube-apiserver a request belongs to: the mandatory and suggested ones that matter here. */
import { createHash } from 'node:crypto'
import { MASTERS } from '@/lib/kube/rbac/names'
import type { Call } from '../call'
import { healthPaths } from '../health'

export interface FlowSchema {
  name: string
  priorityLevel: 'exempt' | 'node-high' | 'workload-high' | 'workload-low' | 'global-default'
  matches(call: Pick<Call, 'caller' | 'path'>): boolean
}

const PROBES = new Set(healthPaths)
const ofGroups =
  (...names: string[]) =>
  ({ caller }: Pick<Call, 'caller'>): boolean =>
    caller.groups.some((group) => names.includes(group))

const ofSystem = ofGroups('system:serviceaccounts:kube-system', 'system:serviceaccounts:karmada-system')

/** In the order of precedence. The first match applies; the last one matches all requests. */
const FLOW_SCHEMAS: readonly FlowSchema[] = [
  { name: 'exempt', priorityLevel: 'exempt', matches: ofGroups(MASTERS) },
  { name: 'probes', priorityLevel: 'exempt', matches: ({ path }) => PROBES.has(path) },
  { name: 'system-nodes', priorityLevel: 'node-high', matches: ofGroups('system:nodes') },
  {
    name: 'kube-system-service-accounts',
    priorityLevel: 'workload-high',
    matches: (call) => call.caller.member === undefined && ofSystem(call),
  },
  { name: 'service-accounts', priorityLevel: 'workload-low', matches: ofGroups('system:serviceaccounts') },
  { name: 'global-default', priorityLevel: 'global-default', matches: () => true },
]

export function flowSchemaOf(call: Pick<Call, 'caller' | 'path'>): FlowSchema {
  return FLOW_SCHEMAS.find(({ matches }) => matches(call)) as FlowSchema
}

/** As kube-apiserver names both in every answer. There are no such objects here, so the UIDs follow from the names. */
export function flowHeadersOf(call: Pick<Call, 'caller' | 'path'>): Record<string, string> {
  return HEADERS.get(flowSchemaOf(call).name) as Record<string, string>
}

const HEADERS = new Map(
  FLOW_SCHEMAS.map(({ name, priorityLevel }) => [
    name,
    {
      'X-Kubernetes-Pf-Flowschema-Uid': uidOf(`FlowSchema/${name}`),
      'X-Kubernetes-Pf-Prioritylevel-Uid': uidOf(`PriorityLevelConfiguration/${priorityLevel}`),
    },
  ]),
)

function uidOf(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex')
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
