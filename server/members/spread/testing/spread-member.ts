/** A member with nodes in pools, and the state of a spread in it. */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { DELETION_COST_ANNOTATION, isActive, readMatched } from '@/lib/domain/spread'
import {
  cloneSet as cloneSetKind,
  node as nodeKind,
  pod as podKind,
  workloadSpread as spreadKind,
  type Pod,
  type WorkloadSpreadStatus,
} from '@/lib/kube/kinds'
import { SIM_NODES } from '@/lib/kube/simulation'
import type { Fault } from '@/server/testing/faulty-client'
import { startTestMember, type TestMember } from '../../testing/start-member'

/** Expected pods of a scenario: by subset, then by cost. */
export interface Picture {
  pods: Record<string, number>
  costs: Record<string, Record<string, number>>
  missing: Record<string, number>
}

export const NONE = '(none)'
export const scenario = (number: number): string => fileURLToPath(new URL(`scenario-${number}.yaml`, import.meta.url))

export class SpreadMember {
  private constructor(
    readonly member: TestMember,
    private readonly spread: string,
  ) {}

  /** Starts a member with one node for each entry, with those labels. */
  static async start(
    spread: string,
    nodes: readonly Record<string, string>[],
    ...faults: Fault[]
  ): Promise<SpreadMember> {
    const member = await startTestMember({ [SIM_NODES]: String(nodes.length) }, ...faults)
    for (const [index, labels] of nodes.entries()) {
      await member.client.patch(
        nodeKind,
        { name: `m1-node-${index + 1}` },
        { type: 'merge', value: { metadata: { labels } } },
      )
    }
    return new SpreadMember(member, spread)
  }

  /** Sets how many pods fit on a node. */
  async limitNode(number: number, pods: number): Promise<void> {
    const value = { status: { allocatable: { pods: String(pods) } } }
    await this.member.client.patch(
      nodeKind,
      { name: `m1-node-${number}` },
      { type: 'merge', value },
      { subresource: 'status' },
    )
  }

  /** Sets the limit of a subset. */
  async limitSubset(index: number, maxReplicas: number): Promise<void> {
    const operations = [{ op: 'add' as const, path: `/spec/subsets/${index}/maxReplicas`, value: maxReplicas }]
    await this.member.client.patch(
      spreadKind,
      { namespace: 'default', name: this.spread },
      { type: 'json', operations },
    )
  }

  scale(replicas: number): Promise<unknown> {
    return this.member.client.patch(
      cloneSetKind,
      { namespace: 'default', name: 'web' },
      { type: 'merge', value: { spec: { replicas } } },
    )
  }

  /** Returns all existing pods, including terminating ones. */
  async allPods(): Promise<Pod[]> {
    return (await this.member.client.list(podKind, { namespace: 'default' })).items
  }

  async pods(): Promise<Pod[]> {
    return (await this.allPods()).filter(isActive)
  }

  async status(): Promise<WorkloadSpreadStatus> {
    return (await this.member.client.get(spreadKind, { namespace: 'default', name: this.spread })).status ?? {}
  }

  async picture(): Promise<Picture> {
    const bySubset = Map.groupBy(await this.pods(), subsetOf)
    const costs = [...bySubset].map(([subset, pods]) => [subset, count(pods, costOf)])
    const rows = (await this.status()).subsetStatuses ?? []
    return {
      pods: Object.fromEntries([...bySubset].map(([subset, pods]) => [subset, pods.length])),
      costs: Object.fromEntries(costs) as Picture['costs'],
      missing: Object.fromEntries(rows.map(({ name, missingReplicas }) => [name, missingReplicas])),
    }
  }

  /** Waits until the expected state is reached and stable. */
  async shows(expected: Partial<Picture>): Promise<void> {
    await this.member.env.eventually(async () => {
      expect(await this.picture()).toMatchObject(expected)
      if (expected.pods) expect((await this.picture()).pods).toEqual(expected.pods)
    })
  }

  /** Waits until no pod is left, so that all nodes are free. */
  async empties(): Promise<void> {
    await this.member.env.eventually(async () => expect(await this.allPods()).toEqual([]))
  }

  close(): Promise<void> {
    return this.member.env.close()
  }
}

export const subsetOf = ({ metadata }: Pod): string => readMatched(metadata.annotations)?.subset ?? NONE
const costOf = ({ metadata }: Pod): string => metadata.annotations?.[DELETION_COST_ANNOTATION] ?? ''

export function count(pods: readonly Pod[], by: (pod: Pod) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(pods, by)].map(([key, list]) => [key, list.length]))
}
