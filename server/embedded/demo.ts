/**
 * The demonstration fleet of the first start: three simulated clusters and a shop whose workloads show every way of
 * dividing replicas. Seeded once; what people do to it afterwards is theirs.
 */
import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { apiVersionOf } from '@/lib/kube/kind'
import { allKinds, configMap } from '@/lib/kube/kinds'
import type { Draft, KubeObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'

const marker = { namespace: 'karmada-system', name: 'evenkeel-first-start' }

/**
 * On the first start of a data directory: creates the objects of `file` (none when undefined) and remembers that it
 * did. A start that was interrupted half-way is completed by the next one.
 */
export async function seedOnce(client: KubeClient, file: string | undefined): Promise<void> {
  if (await exists(client)) return
  for (const object of file ? await readManifests(file) : []) await create(client, object)
  await client.create(configMap, {
    apiVersion: 'v1', kind: 'ConfigMap', metadata: marker, data: { demonstration: file ? 'seeded' : 'skipped' },
  })
}

async function exists(client: KubeClient): Promise<boolean> {
  return client.get(configMap, marker).then(() => true, (error: unknown) => {
    if (isNotFound(error)) return false
    throw error
  })
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
  const kind = allKinds.find((candidate) => candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion)
  if (!kind) throw new Error(`the demonstration holds a ${object.apiVersion} ${object.kind}, which the embedded server does not serve`)
  return kind
}
