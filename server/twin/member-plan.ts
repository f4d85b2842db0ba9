/** One member of a twin: its Cluster, its objects, and the Works that brought them there. */
import { summarizeNodes, summarizeResources } from '@/lib/domain/cluster'
import type { Binding } from '@/lib/domain/propagation'
import { type MemberShape, quantities, shapeMember, type Whole } from '@/lib/domain/twin'
import { isConditionTrue } from '@/lib/kube/conditions'
import type { Cluster, CustomResourceDefinition, Node, Pod } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import { SIM_NODES, SIM_READY_AFTER, SIM_STATE, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { type MemberContext, namespaceObject, nodeObjects, runningWorkload } from './member-objects'
import type { PlacedWorkload } from './placed-workloads'

/** A cluster of the export, and what runs there. */
export interface MemberPlan {
  cluster: Cluster
  placed: PlacedWorkload[]
}

export interface PlannedMember {
  cluster: UnknownObject
  /** In the member, in the order in which they are stored. */
  objects: UnknownObject[]
  works: UnknownObject[]
  shape: MemberShape
}

export function planMember({ cluster, placed }: MemberPlan, context: MemberContext): PlannedMember {
  const pods = placed.flatMap(({ requests, replicas }) => Array.from({ length: replicas }, (): Whole => requests))
  const shape = shapeMember(cluster, pods)
  const nodeNames = shape.nodeOfPod.map((index) => shape.nodes[index]!.name)
  const base = nodeObjects(cluster.metadata.name, shape, context)
  const works: UnknownObject[] = []
  const workloads: UnknownObject[] = []
  const expected: Pod[] = []
  let first = 0
  for (const one of placed) {
    const nodes = nodeNames.slice(first, first + one.replicas)
    first += one.replicas
    if (one.direct) {
      const running = runningWorkload({ ...one, direct: one.direct }, nodes, context)
      works.push(running.work)
      workloads.push(...running.objects)
    } else expected.push(...nodes.map((node) => expectedPod(one.requests, node)))
  }
  const objects = [...base, ...workloads]
  return {
    cluster: simulated(cluster, placed, summaryOf(cluster, objects, expected)),
    objects: [...namespacesOf(workloads), ...objects],
    works,
    shape,
  }
}

/** Definitions of kinds that the member serves in the source, so that it gets their objects in the twin, too. */
export function definitionsIn(definitions: readonly UnknownObject[], { status }: Cluster): UnknownObject[] {
  const served = new Set(
    (status?.apiEnablements ?? []).flatMap(({ groupVersion, resources = [] }) =>
      resources.map(({ name }) => `${name}.${groupVersion.split('/')[0]}`),
    ),
  )
  return definitions.filter((definition) => {
    const { group, names } = (definition as unknown as CustomResourceDefinition).spec
    return served.has(`${names.plural}.${group}`)
  })
}

/** The cluster as a simulated one with the figures of its new nodes and pods. */
function simulated(cluster: Cluster, placed: readonly PlacedWorkload[], summary: object): UnknownObject {
  const { metadata, spec, status } = cluster
  const failing = placed.filter(({ healthy, starting }) => !healthy && !starting)
  const unhealthy = new Set(failing.map(({ binding }) => workloadNameOf(binding)))
  const annotations = {
    ...metadata.annotations,
    [SIM_NODES]: '0',
    [SIM_READY_AFTER]: '2s',
    ...(unhealthy.size > 0 && { [SIM_UNHEALTHY]: [...unhealthy].join(',') }),
    ...(!isConditionTrue(status?.conditions, 'Ready') && { [SIM_STATE]: 'down' }),
  }
  return {
    ...cluster,
    metadata: { ...metadata, annotations },
    spec: { ...spec, syncMode: 'Push' },
    status: { ...status, ...summary },
  } as unknown as UnknownObject
}

const workloadNameOf = ({ spec: { resource } }: Binding): string => `${resource.namespace ?? ''}/${resource.name}`

/** Pods that the controllers create are counted from the beginning, so that nothing else is scheduled into their place. */
function summaryOf({ spec }: Cluster, objects: readonly UnknownObject[], expected: readonly Pod[]): object {
  const nodes = objects.filter(({ kind }) => kind === 'Node') as unknown as Node[]
  const pods = objects.filter(({ kind }) => kind === 'Pod') as unknown as Pod[]
  const { resourceModels } = spec
  return {
    nodeSummary: summarizeNodes(nodes),
    resourceSummary: summarizeResources({
      nodes,
      pods: [...pods, ...expected],
      ...(resourceModels && { resourceModels }),
    }),
  }
}

function expectedPod(requests: Whole, nodeName: string): Pod {
  const containers = [{ name: 'main', resources: { requests: quantities(omit({ ...requests }, 'pods')) } }]
  return { spec: { nodeName, containers }, status: { phase: 'Running' } } as unknown as Pod
}

function namespacesOf(objects: readonly UnknownObject[]): UnknownObject[] {
  const names = new Set(objects.map(({ metadata }) => metadata.namespace ?? ''))
  return [...names].filter((name) => name !== '').map(namespaceObject)
}
