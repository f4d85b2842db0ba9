/**
 * The demonstration fleet of the first start: three simulated clusters, and workloads that show every way of dividing
 * replicas. Created once; later changes of users stay.
 */
import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { apiVersionOf } from '@/lib/kube/kind'
import { findCondition } from '@/lib/kube/conditions'
import { allKinds, cluster as clusterKind, configMap } from '@/lib/kube/kinds'
import type { Draft, KubeObject } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { ReconcilerContext } from '@/server/runtime/controller'

const marker = { namespace: 'karmada-system', name: 'evenkeel-first-start' }

/** How long to wait for the clusters before the workloads are created. */
const TIMEOUT_MS = 30_000

/**
 * On the first start of a data directory: creates the objects of `file` (none if undefined) and records it. Workloads
 * are created when every cluster is Ready, otherwise all of them would be placed in the first. An interrupted creation
 * is completed by the next start.
 */
export async function seedOnce(
  context: Pick<ReconcilerContext, 'client' | 'informers' | 'clock'>,
  file: string | undefined,
): Promise<void> {
  const { client } = context
  if (await exists(client)) return
  const objects = file ? await readManifests(file) : []
  const [clusters, rest] = [objects.filter(isCluster), objects.filter((object) => !isCluster(object))]
  for (const object of clusters) await create(client, object)
  if (clusters.length > 0) await untilReady(context)
  for (const object of rest) await create(client, object)
  await client.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: marker,
    data: { demonstration: file ? 'seeded' : 'skipped' },
  })
}

function isCluster(object: Draft<KubeObject>): boolean {
  return object.kind === clusterKind.kind
}

/** Resolves when every cluster is Ready with known capacity, or after the timeout. */
function untilReady({ informers, clock }: Pick<ReconcilerContext, 'informers' | 'clock'>): Promise<void> {
  const clusters = informers.of(clusterKind)
  return new Promise((resolve) => {
    const stops: Stop[] = []
    const finish = () => {
      for (const stop of stops) stop()
      resolve()
    }
    const allReady = () =>
      clusters
        .list()
        .every(
          ({ status }) =>
            status?.resourceSummary !== undefined && findCondition(status.conditions, 'Ready')?.status === 'True',
        )
    stops.push(
      clock.after(TIMEOUT_MS, finish),
      clusters.onChange(() => clusters.list().length > 0 && allReady() && finish()),
    )
  })
}

async function exists(client: KubeClient): Promise<boolean> {
  return client.get(configMap, marker).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )
}

async function readManifests(file: string): Promise<Draft<KubeObject>[]> {
  return parseAllDocuments(await readFile(file, 'utf8')).map((document) => document.toJS() as Draft<KubeObject>)
}

async function create(client: KubeClient, object: Draft<KubeObject>): Promise<void> {
  const kind = kindOf(object)
  await client.create(kind, object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

function kindOf(object: Draft<KubeObject>): Kind {
  const kind = allKinds.find(
    (candidate) => candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion,
  )
  if (!kind)
    throw new Error(
      `the demonstration holds a ${object.apiVersion} ${object.kind}, which the embedded server does not serve`,
    )
  return kind
}
