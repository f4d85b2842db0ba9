/** How CustomResourceDefinitions are completed, checked and taken away. */
import type { CustomResourceDefinition } from '../kinds/custom-resource-definition'
import type { UnknownObject } from '../object'
import type { KindRules } from '../rules'
import { withCondition } from './acceptance'
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validate-definition'

/** Finalizer that keeps a definition until its objects are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

const typed = (object: UnknownObject): CustomResourceDefinition => object as unknown as CustomResourceDefinition
const untyped = (definition: object): UnknownObject => definition as UnknownObject

export const definitionRules: KindRules = {
  generation: 'spec',
  applyDefaults: (object) => untyped(withDefaults(typed(object))),
  prepareForCreate: (object) => untyped({ ...object, status: firstStatus(typed(object)) }),
  prepareForUpdate: (object) => untyped(withStorageVersion(typed(object))),
  prepareForRemoval: (object, now) => untyped(withCleanup(typed(object), now)),
  validate: (object, old) => (old ? [] : validateDefinition(typed(object))),
  validateUpdate: (next, old) => validateDefinitionUpdate(typed(next), typed(old)),
  validateStatus: (next) => validateDefinitionStatus(typed(next)),
}

const HTTPS = 443

function withDefaults(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec = {} as CustomResourceDefinition['spec'] } = definition
  const { names = { plural: '', kind: '' }, conversion = { strategy: 'None' } } = spec
  const { kind = '' } = names
  return {
    ...definition,
    spec: {
      ...spec,
      names: {
        ...names,
        singular: names.singular || kind.toLowerCase(),
        listKind: names.listKind || (kind && `${kind}List`),
      },
      conversion: withPort(conversion),
    },
    ...withStoredVersions(definition),
  }
}

function withStoredVersions({ spec, status }: CustomResourceDefinition): Pick<CustomResourceDefinition, 'status'> {
  if (status?.storedVersions?.length) return {}
  const storedVersions = storageVersions(spec)
  return storedVersions.length > 0 ? { status: { ...status, storedVersions } } : {}
}

type Conversion = NonNullable<CustomResourceDefinition['spec']['conversion']>

function withPort(conversion: Conversion): Conversion {
  const service = conversion.webhook?.clientConfig?.service
  if (!conversion.webhook || !service) return conversion
  const clientConfig = { ...conversion.webhook.clientConfig, service: { ...service, port: service.port ?? HTTPS } }
  return { ...conversion, webhook: { ...conversion.webhook, clientConfig } }
}

/** Nothing is accepted yet; upstream writes the absent conditions as null. */
function firstStatus({ spec }: CustomResourceDefinition): object {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(spec) }
}

/** The first of several storage versions counts. */
function storageVersions(spec: CustomResourceDefinition['spec'] | undefined): string[] {
  const first = spec?.versions?.find(({ storage }) => storage)
  return first ? [first.name] : []
}

/** Every version in which objects were ever stored is remembered. */
function withStorageVersion(definition: CustomResourceDefinition): CustomResourceDefinition {
  const stored = definition.status?.storedVersions ?? []
  const added = storageVersions(definition.spec).filter((name) => !stored.includes(name))
  if (added.length === 0) return definition
  return { ...definition, status: { ...definition.status, storedVersions: [...stored, ...added] } }
}

function withCleanup(definition: CustomResourceDefinition, now: string): CustomResourceDefinition {
  const { metadata, status } = definition
  if (metadata.deletionTimestamp !== undefined) return definition
  const finalizers = [...new Set([...(metadata.finalizers ?? []), CLEANUP_FINALIZER])]
  const conditions = withCondition(
    status?.conditions ?? [],
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  )
  return { ...definition, metadata: { ...metadata, finalizers }, status: { ...status, conditions } }
}
