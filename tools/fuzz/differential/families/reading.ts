/** Reads: lists with every option, watches, tables, and the documents about the server itself. */
import { chance, pick } from '../../broken/mutate'
import {
  type Draft,
  type Family,
  get,
  NAMESPACE,
  PARTIAL,
  PARTIAL_LIST,
  patch,
  post,
  query,
  step,
  TABLE,
} from '../family'
import { collectionOf, nameOf, namespacedSamples, objectOf, samples } from '../samples'

const LABEL_SELECTORS = [
  'a=1',
  'a==1',
  'a!=1',
  'a in (1,2)',
  'a notin (1)',
  'a',
  '!a',
  'a,b=2',
  'a>1',
  'a<3',
  'a=',
  '',
  ',',
  'a=b=c',
  'a in ()',
  'a in (1',
  'a b',
  'A/B/C=1',
  'a=x y',
  '=1',
  'a in (1,1)',
  'a>x',
] as const
const FIELD_SELECTORS = [
  'metadata.name=o0',
  'metadata.name!=o0',
  'metadata.namespace={{ns}}',
  'metadata.name=o0,metadata.name=o1',
  'metadata.name==o1',
  'spec.nodeName=',
  'spec.nodeName=n',
  'status.phase=Running',
  'status.phase!=Pending',
  'type=Opaque',
  'type=Normal',
  'involvedObject.name=p',
  'reason=Started',
  'spec.unschedulable=false',
  'status.replicas=0',
  'spec.type=ClusterIP',
  'spec.clusterIP=None',
  'status.successful=0',
  'nope=1',
  'metadata.labels.a=1',
  'metadata.name',
  '=',
  'metadata.name>a',
  'a\\,b=c',
  '',
] as const
const LIST_OPTIONS = {
  labelSelector: LABEL_SELECTORS,
  fieldSelector: FIELD_SELECTORS,
  limit: ['1', '2', '0', '-1', 'x', '1.5'],
  resourceVersion: ['0', '{{rv1}}', '', 'x', '1', '-1'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'nope', ''],
  continue: ['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0'],
  timeoutSeconds: ['1', 'x'],
  allowWatchBookmarks: ['true', 'x'],
  sendInitialEvents: ['true', 'false'],
} as const

const three = (sample: (typeof samples)[number]): Draft[] =>
  [0, 1, 2].map((index) => ({
    ...post(collectionOf(sample), objectOf(sample, index, { labels: { a: String(index + 1), u: '{{u}}' } })),
    ...(index === 1 && { capture: { rv1: '/metadata/resourceVersion' } }),
  }))

const lists: Family = {
  name: 'lists',
  weight: 3,
  make(rng) {
    const sample = pick(rng, namespacedSamples)
    const path = collectionOf(sample)
    const list = (): Draft => {
      const view = chance(rng, 0.25) ? pick(rng, [TABLE, PARTIAL_LIST, PARTIAL]) : {}
      return get(path, { ...view, ...query(rng, LIST_OPTIONS, 0.15) })
    }
    const selected = (): Draft =>
      get(path, {
        query: chance(rng, 0.5)
          ? { labelSelector: pick(rng, LABEL_SELECTORS) }
          : { fieldSelector: pick(rng, FIELD_SELECTORS) },
      })
    return [NAMESPACE, ...three(sample), list(), list(), selected(), selected()]
  },
}

const pages: Family = {
  name: 'pages',
  weight: 1,
  make(rng) {
    const sample = pick(rng, namespacedSamples)
    const path = collectionOf(sample)
    const first = query(rng, { labelSelector: ['u', 'a!=3'], resourceVersion: ['0', '{{rv1}}'] }, 0.3).query
    const next = { ...first, limit: 1, continue: '{{cont1}}', ...(chance(rng, 0.2) && { resourceVersion: '{{rv1}}' }) }
    return [
      NAMESPACE,
      ...three(sample),
      { ...get(path, { query: { ...first, limit: 1 } }), capture: { cont1: '/metadata/continue' } },
      ...(chance(rng, 0.5) ? [step('DELETE', `${path}/${nameOf(sample, 1)}`)] : []),
      { ...get(path, { query: next }), capture: { cont2: '/metadata/continue' } },
      get(path, { query: { ...first, limit: 500, continue: '{{cont1}}' } }),
    ]
  },
}

const views: Family = {
  name: 'views',
  weight: 1.5,
  make(rng) {
    const sample = pick(rng, samples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const table = (more: object): Draft =>
      get(at, {
        headers: TABLE.headers,
        query: { includeObject: pick(rng, ['None', 'Metadata', 'Object', 'nope', '']), ...more },
      })
    return [
      NAMESPACE,
      post(path, objectOf(sample, 0, { labels: { u: '{{u}}' } }), pick(rng, [{}, TABLE, PARTIAL])),
      get(at, TABLE),
      table({}),
      get(at, PARTIAL),
      get(path, { ...TABLE, query: { labelSelector: 'u={{u}}' } }),
      get(path, { ...PARTIAL_LIST, query: { labelSelector: 'u={{u}}' } }),
      patch('merge', at, { metadata: { labels: { c: 'd' } } }, { headers: pick(rng, [TABLE, PARTIAL]).headers }),
      step('DELETE', at, undefined, pick(rng, [{}, TABLE, PARTIAL])),
    ]
  },
}

const WATCH_OPTIONS = {
  labelSelector: ['a=1', 'u', 'a>1', 'x y z'],
  fieldSelector: ['metadata.name=o0', 'nope=1'],
  resourceVersion: ['{{rv1}}', '0', '', 'x'],
  resourceVersionMatch: ['NotOlderThan', 'Exact', 'nope'],
  sendInitialEvents: ['true', 'false', 'x'],
  allowWatchBookmarks: ['true', 'false'],
} as const

const watches: Family = {
  name: 'watches',
  weight: 1.5,
  make(rng) {
    const sample = pick(rng, namespacedSamples)
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const view = chance(rng, 0.25)
      ? pick(rng, [TABLE, PARTIAL, PARTIAL_LIST, { headers: { Accept: 'application/yaml' } }])
      : {}
    const request = {
      method: 'GET',
      path: chance(rng, 0.15) ? at : path,
      ...view,
      query: {
        watch: pick(rng, ['true', '1', 'true', 'true', 'x']),
        timeoutSeconds: 1,
        ...query(rng, WATCH_OPTIONS, 0.35).query,
      },
    }
    return [
      NAMESPACE,
      ...three(sample),
      {
        op: 'watch',
        request,
        maxSeconds: 2,
        during: [
          { id: '0', ...patch('merge', at, { metadata: { labels: { a: '9' } } }) },
          { id: '1', ...step('DELETE', `${path}/${nameOf(sample, 2)}`) },
        ],
      },
    ]
  },
}

const GROUPS = [
  ...new Set(samples.map(({ group, version }) => (group ? `/apis/${group}/${version}` : `/api/${version}`))),
]
const DOCUMENTS = [
  '/api',
  '/api/',
  '/apis',
  '/apis/',
  '/version',
  '/version/',
  '/healthz',
  '/livez',
  '/readyz',
  '/healthz/ping',
  '/healthz/etcd',
  '/healthz/log',
  '/livez/ping',
  '/readyz/ping',
  '/readyz/nope',
  '/healthz/',
  '/readyz/informer-sync',
  '/readyz/shutdown',
  '/livez/etcd',
  '/healthz/poststarthook/rbac/bootstrap-roles',
  '/healthz?verbose',
  '/livez?verbose=true',
  '/readyz?verbose&exclude=etcd',
  '/readyz?exclude=nope',
  '/',
  '/nope',
  '/swagger.json',
  '/swaggerapi',
  '/openapi/v3/nope',
  '/openapi',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/logs',
  '/logs/',
  '/ui',
  '/static',
  '/favicon.ico',
  '/robots.txt',
  '/api/v2',
  '/api/v1/',
  '/apis/nope',
  '/apis/nope/v1',
  '/apis/apps/v9',
  '/apis/apps/v1beta1',
  '/apis/apps/v9/deployments',
  '/apis/extensions/v1beta1',
  '/apis/policy/v1beta1',
  '/apis/work.karmada.io',
  '/apis/work.karmada.io/v9',
  '/apis/work.karmada.io/v1alpha2/nopes',
  '/api/v1/namespaces/{{ns}}/nopes',
  '/api/v1/nopes',
  '/api/v1/watch/namespaces/{{ns}}/configmaps?timeoutSeconds=1',
  '/apis/apps/v1/watch/deployments?timeoutSeconds=1&labelSelector=none={{u}}',
  '/api/v1/proxy/namespaces/{{ns}}/pods/x',
  '/api/v1/componentstatuses',
  '/api/v1/componentstatuses/x',
  '/api/v1/bindings',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  '/api/v1/namespaces/{{ns}}/pods/x/log',
  '/api/v1/namespaces/{{ns}}/pods/x/exec',
  '/api/v1/namespaces/{{ns}}/pods/x/portforward',
  '/api/v1/namespaces/{{ns}}/services/x/proxy',
  '/api/v1/nodes/x/proxy',
  '//',
  '/api//v1',
  '/apis/apps//v1',
  '/api/v1/../v1',
  '/api/v1/namespaces/',
  '/api/v1/namespaces//',
  '/api/v1/namespaces/{{ns}}/configmaps/',
  '/api/v1/namespaces/{{ns}}/configmaps//',
  '/api/v1/namespaces/{{ns}}/configmaps/a/b/c/d',
] as const

const documents: Family = {
  name: 'documents',
  weight: 1.5,
  make(rng) {
    const ask = (): Draft => {
      const path = chance(rng, 0.2) ? pick(rng, GROUPS) : pick(rng, DOCUMENTS)
      const method = pick(rng, ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      return step(method, path, undefined, {
        ...(chance(rng, 0.2) && { user: pick(rng, ['viewer', 'anonymous', 'badtoken'] as const) }),
        ...(chance(rng, 0.15) && {
          headers: {
            Accept: pick(rng, [
              'text/html',
              'application/yaml',
              '*/*',
              'nope',
              'application/vnd.kubernetes.protobuf',
              'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
            ]),
          },
        }),
      })
    }
    return Array.from({ length: 4 }, ask)
  },
}

export const readingFamilies: readonly Family[] = [lists, pages, views, watches, documents]
