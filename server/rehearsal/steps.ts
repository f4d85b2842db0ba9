/** Carries out the steps of a scenario, through the API as an operator would. */
import { includes } from '@/lib/domain/rehearsal/judge'
import { clustersOf } from '@/lib/domain/rehearsal/known-fleet'
import type { StepAction, Manifest, WorkloadChoice } from '@/lib/domain/rehearsal/scenario'
import { message, type Message } from '@/lib/messages/message'
import { cluster as clusterKind, queue as queueKind, rebalancePlan, resourceBinding } from '@/lib/kube/kinds'
import { applyManifest, kindOf } from './apply'
import { BadInput } from './bad-input'
import { changeOf, type ClusterAction, describe } from './cluster-steps'
import { workloadOf } from './facts'
import { fleetClusters } from './fleet'
import type { Plane } from './plane'

/** Performs one step; answers what was done, for the timeline. Throws BadInput if the control plane refuses it. */
export async function perform(plane: Plane, action: StepAction, step: number): Promise<Message> {
  try {
    return await act(plane, action, step)
  } catch (error) {
    if (error instanceof BadInput) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.refused', { step: step + 1, verb: action.kind, why })])
  }
}

async function act(plane: Plane, action: StepAction, step: number): Promise<Message> {
  switch (action.kind) {
    case 'apply':
      for (const manifest of action.given.manifests) await applyManifest(plane.client, manifest)
      return message('rehearsal.step.apply', { objects: action.given.manifests.map(nameOf) })
    case 'remove': {
      const { apiVersion, kind, namespace, name } = action.given
      await plane.client.delete(kindOf({ apiVersion, kind }), refOf({ namespace, name }), {
        propagationPolicy: 'Background',
      })
      return message('rehearsal.step.remove', { object: `${kind} ${addressOf({ namespace, name })}` })
    }
    case 'scale': {
      const { workload, kind, replicas } = action.given
      const found = bindingOf(plane, workload, kind)
      const value = { spec: { replicas } }
      await plane.client.patch(kindOf(found.spec.resource), partsOf(workload), { type: 'merge', value })
      return message('rehearsal.step.scale', { workload, replicas })
    }
    case 'hold':
      return setHold(plane, action.given.queue, { reason: action.given.reason ?? HOLD_REASON })
    case 'resume':
      return setHold(plane, action.given.queue, null)
    case 'rebalance':
      return rebalance(plane, action.given, step)
    default:
      return changeClusters(plane, action)
  }
}

/** Holds need one. */
const HOLD_REASON = 'rehearsal'

async function changeClusters({ client, clock, informers }: Plane, action: ClusterAction): Promise<Message> {
  const { found } = clustersOf(action.given, { clusters: fleetClusters(informers) })
  for (const name of found) {
    const cluster = await client.get(clusterKind, { name })
    const { annotations, taints } = changeOf(cluster, action, clock.now())
    const { resourceVersion } = cluster.metadata
    const value = {
      metadata: { resourceVersion, ...(annotations && { annotations }) },
      ...(taints && { spec: { taints } }),
    }
    await client.patch(clusterKind, { name }, { type: 'merge', value })
  }
  return describe(action, found)
}

async function setHold({ client }: Plane, queue: string, hold: { reason: string } | null): Promise<Message> {
  await client.patch(queueKind, partsOf(queue), { type: 'merge', value: { spec: { hold } } })
  return hold ? message('rehearsal.step.hold', { queue }) : message('rehearsal.step.resume', { queue })
}

type Rebalance = Extract<StepAction, { kind: 'rebalance' }>['given']

/** A plan that approves itself: the rehearsal is about what it does, not about who agrees. */
async function rebalance({ client, informers }: Plane, given: Rebalance, step: number): Promise<Message> {
  const { waveSize } = given
  const bindings = informers
    .of(resourceBinding)
    .list()
    .filter((binding) => isChosen(given, workloadOf(binding)))
  const workloads = bindings.map(({ spec: { resource } }) => ({
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    name: resource.name,
    ...(resource.namespace !== undefined && { namespace: resource.namespace }),
  }))
  await client.create(rebalancePlan, {
    apiVersion: 'evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: { name: `rehearsal-${step + 1}` },
    spec: { workloads, autoApprove: true, ...(waveSize !== undefined && { waves: { size: waveSize } }) },
  })
  return message('rehearsal.step.rebalance', { count: workloads.length })
}

const isChosen = (choice: WorkloadChoice, workload: ReturnType<typeof workloadOf>): boolean =>
  workload !== undefined && includes(choice, workload)

function bindingOf({ informers }: Plane, workload: string, kind: string) {
  const { namespace, name } = partsOf(workload)
  const found = informers
    .of(resourceBinding)
    .listNamespace(namespace)
    .find(({ spec: { resource } }) => resource.name === name && resource.kind === kind)
  if (!found) throw new BadInput([message('rehearsal.input.noObject', { kind, name: workload })])
  return found
}

interface Named {
  namespace?: string | undefined
  name: string
}

const refOf = ({ namespace, name }: Named) => ({ name, ...(namespace !== undefined && { namespace }) })
const addressOf = ({ namespace, name }: Named): string => (namespace === undefined ? name : `${namespace}/${name}`)
const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${addressOf(metadata)}`

function partsOf(address: string): { namespace: string; name: string } {
  const at = address.indexOf('/')
  return { namespace: address.slice(0, at), name: address.slice(at + 1) }
}
