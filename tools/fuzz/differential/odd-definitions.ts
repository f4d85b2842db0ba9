/** Invalid definitions, apart from their schemas. */

export const GROUP = 'g{{u}}.example.com'

export interface Version extends Record<string, unknown> {
  name: string
}
export interface Definition extends Record<string, unknown> {
  metadata: Record<string, unknown>
  spec: Record<string, unknown> & { names: Record<string, unknown>; versions: Version[]; scope?: string | undefined }
}

/** Changes to a whole definition. */
export const ODD: readonly ((definition: Definition) => unknown)[] = [
  (d) => (d.spec.scope = 'nope'),
  (d) => delete d.spec.scope,
  (d) => (d.spec.names['kind'] = 'thing'),
  (d) => (d.spec.names['plural'] = 'Things'),
  (d) => delete d.spec.names['plural'],
  (d) => delete d.spec.names['kind'],
  (d) => (d.spec.names['singular'] = 'THING'),
  (d) => (d.spec.names['shortNames'] = ['t', 'T T']),
  (d) => (d.spec.names['shortNames'] = ['t', 't']),
  (d) => (d.spec.names['categories'] = ['all', 'a b']),
  (d) => (d.spec.names['listKind'] = 'Thing'),
  (d) => (d.spec.names['listKind'] = 'ThingCollection'),
  (d) => (d.spec['group'] = 'example'),
  (d) => (d.spec['group'] = 'UP.example.com'),
  (d) => delete d.spec['group'],
  (d) => (d.spec.versions = []),
  (d) => d.spec.versions.push({ ...(d.spec.versions[0] as Version), name: 'v2' }),
  (d) => d.spec.versions.push({ ...(d.spec.versions[0] as Version), storage: false }),
  (d) => d.spec.versions.push({ ...(d.spec.versions[0] as Version), name: 'V_2', storage: false }),
  (d) => ((d.spec.versions[0] as Version)['storage'] = false),
  (d) => ((d.spec.versions[0] as Version)['served'] = false),
  (d) => ((d.spec.versions[0] as Version)['deprecated'] = true),
  (d) => ((d.spec.versions[0] as Version)['deprecationWarning'] = 'old'),
  (d) => Object.assign(d.spec.versions[0] as Version, { deprecated: true, deprecationWarning: 'use v2' }),
  (d) => delete (d.spec.versions[0] as Version)['schema'],
  (d) => ((d.spec.versions[0] as Version)['schema'] = {}),
  (d) => ((d.spec.versions[0] as Version)['schema'] = { openAPIV3Schema: { type: 'string' } }),
  (d) => (d.spec['preserveUnknownFields'] = true),
  (d) => (d.spec['conversion'] = { strategy: 'None' }),
  (d) => (d.spec['conversion'] = { strategy: 'nope' }),
  (d) => (d.spec['conversion'] = { strategy: 'Webhook' }),
  (d) =>
    (d.spec['conversion'] = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'https://127.0.0.1:1/x' } },
    }),
  (d) =>
    (d.spec['conversion'] = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'http://x' } },
    }),
  (d) =>
    (d.spec['conversion'] = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { name: 'x' } } },
    }),
  (d) =>
    ((d.spec.versions[0] as Version)['subresources'] = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    }),
  (d) =>
    ((d.spec.versions[0] as Version)['subresources'] = {
      scale: { specReplicasPath: 'x', statusReplicasPath: '.status' },
    }),
  (d) =>
    ((d.spec.versions[0] as Version)['subresources'] = {
      scale: { specReplicasPath: '.spec.a[0]', statusReplicasPath: '.status.replicas', labelSelectorPath: '.foo' },
    }),
  (d) =>
    ((d.spec.versions[0] as Version)['additionalPrinterColumns'] = [
      { name: 'A', type: 'string', jsonPath: '.spec.f' },
      { name: '', type: 'x', jsonPath: 'spec' },
    ]),
  (d) =>
    ((d.spec.versions[0] as Version)['additionalPrinterColumns'] = [
      { name: 'A', type: 'integer', format: 'nope', jsonPath: '.spec[' },
    ]),
  (d) => ((d.spec.versions[0] as Version)['selectableFields'] = [{ jsonPath: '.spec.f' }, { jsonPath: '.spec.f' }]),
  (d) => ((d.spec.versions[0] as Version)['selectableFields'] = [{ jsonPath: 'x' }]),
  (d) => ((d.spec.versions[0] as Version)['selectableFields'] = [{ jsonPath: '.metadata.name' }]),
  (d) => (d.metadata['name'] = `other.${GROUP}`),
  (d) => (d['nope'] = 1),
]
