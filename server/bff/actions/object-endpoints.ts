/** Objects as stored: read in any cluster and edited in the control plane, as the user. */
import { apiVersionOf } from '@/lib/kube/kind'
import { event as eventKind } from '@/lib/kube/kinds'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { namedAnswer, type ObjectBody, objectBody, objectQuery } from '@/lib/view/actions'
import { objectPreviewSchema, objectSchema } from '@/lib/view/schemas/members'
import { resourcePath } from '@/server/kube/paths'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { kindOf, listInMember, memberReader, readInMember } from './member-reads'
import { eventsOf, eventsQuery } from './object-events'

export function objectEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [readObject(deps), previewObject(), writeObject()]
}

function readObject({ clock }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/objects',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.object',
    description: 'api.endpoint.object.description',
    query: objectQuery,
    response: objectSchema,
    perform: async (call) => {
      const { cluster, apiVersion, kind: kindName, namespace, name } = call.query
      const at = { name, ...(namespace !== undefined && { namespace }) }
      if (cluster === undefined) {
        const { client } = call.principal
        const object = await client.get(await kindOf(client, { apiVersion, kind: kindName }), at)
        const listed = client.list(eventKind, eventsQuery(object))
        return { object, ...(await eventsOf(listed.then(({ items }) => items))) }
      }
      const reader = memberReader(call as EndpointCall, clock, cluster)
      const kind = await kindOf(reader.client, { apiVersion, kind: kindName })
      const object = await readInMember<KubeObject>(reader, resourcePath(kind, at))
      const listed = listInMember(reader, eventKind, eventsQuery(object))
      return { object, ...(await eventsOf(listed.then(({ items }) => items))) }
    },
  })
}

function previewObject() {
  return endpoint({
    method: 'POST',
    path: '/api/v1/object-previews',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.objectPreview',
    description: 'api.endpoint.objectPreview.description',
    body: objectBody,
    response: objectPreviewSchema,
    perform: async ({ principal: { client }, body: { object } }) => {
      const kind = await editableKind(client, object)
      const { namespace, name } = object.metadata
      const live = await client.get(kind, { name, ...(namespace !== undefined && { namespace }) })
      const how = { dryRun: true, fieldManager: FIELD_MANAGER }
      return { result: await client.update(kind, object as unknown as KubeObject, how), live }
    },
  })
}

function writeObject() {
  return endpoint({
    method: 'PUT',
    path: '/api/v1/objects',
    kind: 'action',
    tag: 'api.tag.fleet',
    summary: 'api.action.editObject',
    description: 'api.endpoint.objectWrite.description',
    event: 'EditedByUser',
    body: objectBody,
    response: namedAnswer,
    perform: async (call) => {
      const {
        principal: { client },
        body: { object },
      } = call
      const kind = await editableKind(client, object)
      const { namespace, name } = object.metadata
      const before = await client.get(kind, { name, ...(namespace !== undefined && { namespace }) })
      const about = {
        object: {
          apiVersion: apiVersionOf(kind),
          kind: kind.kind,
          name,
          uid: before.metadata.uid,
          ...(namespace !== undefined && { namespace }),
        },
        before: specOf(before),
      }
      call.concerns(about)
      const written = await client.update(kind, object as unknown as KubeObject, { fieldManager: FIELD_MANAGER })
      call.concerns({ ...about, after: specOf(written) })
      return { name }
    },
  })
}

const specOf = (object: KubeObject): unknown => (object as { spec?: unknown }).spec

/** Objects that controllers derive are not editable, because the controllers would overwrite the edit. */
const DERIVED = new Set(['work.karmada.io'])

async function editableKind(client: EndpointCall['principal']['client'], object: ObjectBody['object']) {
  const kind = await kindOf(client, object)
  if (DERIVED.has(kind.group)) throw refuse(422, 'Refused', message('api.refused.derived', { kind: kind.kind }))
  return kind
}
