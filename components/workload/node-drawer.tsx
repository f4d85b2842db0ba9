'use client'
import type { WorkloadDetailView } from '@/lib/view/model'
import { type ObjectAddress, workOf } from '@/lib/view/object-address'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { ObjectPanel } from '../pods/object-panel'
import { PodPanel } from '../pods/pod-panel'
import { PodsTable } from '../pods/pods-table'
import type { InMember } from '../pods/use-member-pods'
import { StateMark } from '../status/state-mark'
import { Drawer } from '../ui/drawer'

interface NodeDrawerProps {
  workload: WorkloadDetailView
  members: ReadonlyMap<string, InMember>
}

/** Shows the details of a topology node, which `node` in the URL selects. */
export function NodeDrawer({ workload, members }: NodeDrawerProps) {
  const text = useText()
  const { get, navigate, tweak } = useUrlState()
  const node = get('node')
  const [what = '', cluster, namespace, name] = (node ?? '').split('/')
  const object = objectOf(workload, what, cluster)
  const isPod = what === 'pod' && cluster !== undefined && namespace !== undefined && name !== undefined
  const tab = { tab: get('part'), onTab: (part: string) => tweak({ part }) }
  return (
    <Drawer
      open={isPod || object !== undefined}
      onClose={() => navigate({ node: undefined, part: undefined })}
      wide
      title={<span className="mono text-title break-all">{isPod ? name : (object?.name ?? '')}</span>}
      description={
        isPod
          ? text('pods.podIn', { cluster, namespace })
          : text(object?.cluster === undefined ? 'objects.inControlPlane' : 'objects.inCluster', {
              kind: object?.kind ?? '',
              cluster: object?.cluster ?? '',
            })
      }
    >
      {isPod && <PodPanel cluster={cluster} namespace={namespace} name={name} {...tab} />}
      {object && (
        <ObjectPanel key={node} address={object} isEditable={what === 'template' || what === 'policy'} {...tab}>
          {what === 'member' && <MemberSummary workload={workload} cluster={cluster ?? ''} members={members} />}
        </ObjectPanel>
      )}
    </Drawer>
  )
}

function objectOf(
  { ref, policy, binding }: WorkloadDetailView,
  what: string,
  cluster: string | undefined,
): ObjectAddress | undefined {
  if (what === 'template') return ref
  if (what === 'policy') return policy && { apiVersion: 'policy.karmada.io/v1alpha1', ...policy }
  if (what === 'binding') return { apiVersion: 'work.karmada.io/v1alpha2', ...binding }
  if (cluster === undefined) return undefined
  if (what === 'work') return workOf(ref, cluster)
  return what === 'member' ? { ...ref, cluster } : undefined
}

function MemberSummary({ workload, cluster, members }: NodeDrawerProps & { cluster: string }) {
  const text = useText()
  const cell = workload.cells.find((one) => one.cluster === cluster)
  const member = members.get(cluster)
  return (
    <div className="flex flex-col gap-2">
      {cell && (
        <p className="flex flex-wrap items-center gap-x-2">
          <StateMark state={cell.state.state} className="font-medium" />
          {workload.hasReplicas && <span>{text('topology.ready', { ready: cell.ready, desired: cell.desired })}</span>}
          <span className="text-ink-2">{text.of(cell.state.reason)}</span>
        </p>
      )}
      {workload.hasReplicas && member && <PodsTable members={new Map([[cluster, member]])} hidden={0} />}
    </div>
  )
}
