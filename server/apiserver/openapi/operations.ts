/** The operations of a kind, as far as clients look at them: which kind, which parameters. */
import type { Resource } from '../registry/resource'

type Dialect = 'v2' | 'v3'

const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation']

/** kubectl takes the strategic form wherever it is offered. */
function patchTypes(custom: boolean): string[] {
  const strategic = custom ? [] : ['application/strategic-merge-patch+json']
  return ['application/json-patch+json', 'application/merge-patch+json', ...strategic, 'application/apply-patch+yaml']
}

/** Paths of the collection and of one object. */
export function operationsOf(resource: Resource, definition: string, dialect: Dialect): Record<string, object> {
  const { kind } = resource
  const root = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`
  const collection =
    kind.scope === 'Namespaced' ? `${root}/namespaces/{namespace}/${kind.plural}` : `${root}/${kind.plural}`
  const operation = (action: string): object => operationOf(resource, { action, definition, dialect })
  if (kind.transient) return { [collection]: { post: operation('post') } }
  return {
    [collection]: { get: operation('list'), post: operation('post'), delete: operation('deletecollection') },
    [`${collection}/{name}`]: {
      get: operation('get'),
      put: operation('put'),
      patch: operation('patch'),
      delete: operation('delete'),
    },
  }
}

function operationOf({ kind, custom }: Resource, of: { action: string; definition: string; dialect: Dialect }): object {
  const { action, definition, dialect } = of
  const writes = action === 'post' || action === 'put' || action === 'patch'
  return {
    operationId: `${action}${kind.group.split('.')[0] ?? ''}${kind.version}${kind.scope}${kind.kind}`,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
    ...(writes && { parameters: WRITE_PARAMETERS.map((name) => parameter(name, dialect)) }),
    ...(dialect === 'v3'
      && writes && {
        requestBody: {
          content: contentOf(
            action === 'patch' ? patchTypes(custom) : ['application/json', 'application/yaml'],
            definition,
          ),
        },
      }),
    ...(dialect === 'v2' && action === 'patch' && { consumes: patchTypes(custom) }),
    responses: { 200: { description: 'OK' } },
  }
}

function parameter(name: string, dialect: Dialect): object {
  const at = { name, in: 'query' }
  return dialect === 'v3'
    ? { ...at, schema: { type: 'string', uniqueItems: true } }
    : { ...at, type: 'string', uniqueItems: true }
}

function contentOf(types: readonly string[], definition: string): object {
  const schema = { $ref: `#/components/schemas/${definition}` }
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}
