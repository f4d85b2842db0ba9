/** Conversion between the versions of a custom kind by its webhook. */
import { kubeError, KubeError } from '@/lib/kube/errors'
import { apiVersionOf, isStoredForm, type Kind } from '@/lib/kube/kind'
import type { CustomResourceDefinition } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { type Connection, createConnection } from '../admission/connection'
import type { Api } from '../api'
import { unavailable } from '../failures'
import { entryShowing, type Form, type Resource, resourceOf } from '../registry/resource'
import type { Entry } from '../store/store'

const TIMEOUT_SECONDS = 30

/** The versions of a definition as resources, with its conversion strategy. */
export function resourcesOf(
  api: Api,
  keyspace: string,
  { definition, kinds }: { definition: CustomResourceDefinition; kinds: readonly Kind[] },
): Resource[] {
  const { strategy, webhook } = definition.spec.conversion ?? { strategy: 'None' }
  const storage = kinds.find(isStoredForm)
  if (strategy !== 'Webhook' || !webhook?.clientConfig || !storage) return kinds.map((kind) => resourceOf(kind))
  const { clientConfig } = webhook
  const connection = createConnection(api, keyspace, { clientConfig, timeoutSeconds: TIMEOUT_SECONDS })
  const ask: Ask = (objects, version) => convert({ connection, uid: api.uid() }, objects, version)
  return kinds.map((kind) => resourceOf(kind, convertedForm(apiVersionOf(kind), apiVersionOf(storage), ask)))
}

type Ask = (objects: readonly UnknownObject[], version: string) => Promise<UnknownObject[]>

function convertedForm(shown: string, stored: string, ask: Ask): Form {
  const known = new WeakMap<Entry, Entry>()
  const isShown = (entry: Entry): boolean => entry.value.apiVersion === shown
  return {
    converts: true,
    prepare: async (entries) => {
      const missing = entries.filter((entry) => !isShown(entry) && !known.has(entry))
      if (missing.length === 0) return
      const objects = await ask(
        missing.map(({ value }) => value),
        shown,
      )
      for (const [index, entry] of missing.entries()) known.set(entry, entryShowing(entry, objects[index]!))
    },
    read: (entry) => {
      const found = isShown(entry) ? entry : known.get(entry)
      if (!found) throw unavailable('the object has changed while it was converted; please try again')
      return found
    },
    write: async (object) => (object.apiVersion === stored ? object : (await ask([object], stored))[0]!),
    written: (entry, object) => {
      const found = isShown(entry) ? entry : entryShowing(entry, { ...object, metadata: entry.value.metadata })
      known.set(entry, found)
      return found
    },
  }
}

interface Answer {
  response?: { result?: { status?: string; message?: string }; convertedObjects?: UnknownObject[] }
}

/** Calls the webhook. Its changes of metadata other than labels and annotations are ignored. */
async function convert(
  { connection, uid }: { connection: Connection; uid: string },
  objects: readonly UnknownObject[],
  version: string,
): Promise<UnknownObject[]> {
  try {
    const { response } = (await connection.send({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid, desiredAPIVersion: version, objects },
    })) as Answer
    const { result, convertedObjects = [] } = response ?? {}
    if (result?.status !== 'Success') throw new Error(result?.message || 'unknown error')
    if (convertedObjects.length !== objects.length) {
      throw new Error(`expected ${objects.length} converted objects, got ${convertedObjects.length}`)
    }
    return convertedObjects.map((converted, index) => merged(converted, objects[index]!))
  } catch (error) {
    if (error instanceof KubeError) throw error
    const { apiVersion, kind } = objects[0]!
    const text = error instanceof Error ? error.message : String(error)
    throw kubeError(500, 'InternalError', `conversion webhook for ${apiVersion}, Kind=${kind} failed: ${text}`)
  }
}

function merged(converted: UnknownObject, { metadata }: UnknownObject): UnknownObject {
  const { labels, annotations } = converted.metadata ?? {}
  const { labels: _labels, annotations: _annotations, ...kept } = metadata
  return { ...converted, metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) } }
}
