/**
 * No user obtains a right that was not granted. A user who may write roles can grant only own rights (the escalation
 * check of RBAC), so afterwards each user has at most the previous rights and those of the actors. The server's
 * responses are also compared with an independent model of RBAC, computed from the stored objects.
 */
import { seededRng } from '@/lib/std/rng'
import { pick } from '../broken/mutate'
import { request } from '../steps'
import type { Subject } from '../subject'
import type { Oracle } from '../target'
import { modelOf, type Probe, probes } from './rbac-model'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
/** Questions asked of the server for each sequence, beside the model. */
const SAMPLES = 24

export const privilege: Oracle = {
  name: 'privilege',
  begin: async (subject, { name, actors = [] }) => {
    const users = [
      ...actors,
      `${name}-other`,
      `${name}-nobody`,
      'system:anonymous',
      `system:serviceaccount:${name}:default`,
    ]
    const before = await rightsOf(subject, name, users)
    return async () => {
      const after = await rightsOf(subject, name, users)
      const passedOn = new Set(actors.flatMap((actor) => [...before.of(actor)]))
      const gained = users.flatMap((user) =>
        [...after.of(user)]
          .filter((right) => !before.of(user).has(right) && !passedOn.has(right))
          .map((right) => `${user} obtained ${right}, which was not granted`),
      )
      return [...gained.slice(0, 5), ...(await disagreements(subject, { name, users, after }))]
    }
  },
}

interface Rights {
  of(user: string): ReadonlySet<string>
}

/** Rights in the model, from the stored objects. */
async function rightsOf(subject: Subject, namespace: string, users: readonly string[]): Promise<Rights> {
  const list = async (path: string): Promise<unknown[]> => {
    const { status, body } = await subject.send(request('GET', path))
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return (JSON.parse(body) as { items: unknown[] }).items
  }
  const model = modelOf({
    roles: await list(`${RBAC}/namespaces/${namespace}/roles`),
    bindings: await list(`${RBAC}/namespaces/${namespace}/rolebindings`),
    clusterRoles: await list(`${RBAC}/clusterroles`),
    clusterBindings: await list(`${RBAC}/clusterrolebindings`),
  })
  const rights = new Map(
    users.map((user) => [
      user,
      new Set(
        probes(namespace)
          .filter((probe) => model(user, probe))
          .map(nameOf),
      ),
    ]),
  )
  return { of: (user) => rights.get(user) ?? new Set() }
}

const nameOf = ({ verb, group, resource, namespace, name }: Probe): string =>
  `${verb} ${group === '' ? resource : `${resource}.${group}`}${name === '' ? '' : `/${name}`} in ${namespace || 'the cluster'}`

interface Compared {
  name: string
  users: readonly string[]
  after: Rights
}

/** The authorizer of the server and the model answer alike; so does a read of a Secret. */
async function disagreements(subject: Subject, { name, users, after }: Compared): Promise<string[]> {
  const rng = seededRng(name.length * 7919 + [...name].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7))
  const all = probes(name)
  const found: string[] = []
  for (let count = 0; count < SAMPLES; count++) {
    const user = pick(rng, users)
    const held = [...after.of(user)]
    const probe = pick(rng, all)
    // Half of the questions are about what the model allows: most of all rights are refused.
    const asked = count % 2 && held.length > 0 ? (all.find((each) => nameOf(each) === pick(rng, held)) ?? probe) : probe
    const expected = after.of(user).has(nameOf(asked))
    const answered = await ask(subject, user, asked)
    if (answered !== undefined && answered !== expected) {
      found.push(
        `${user}: ${nameOf(asked)} is ${answered ? 'allowed' : 'denied'} by the server, and not so by the model of RBAC`,
      )
    }
  }
  for (const user of users) found.push(...(await readsSecret(subject, { user, namespace: name, after })))
  return found
}

async function ask(subject: Subject, user: string, probe: Probe): Promise<boolean | undefined> {
  const { verb, group, resource, namespace, name } = probe
  const [kind, subresource] = resource.split('/')
  const groups = user === 'system:anonymous' ? ['system:unauthenticated'] : serviceAccountGroups(user)
  const { status, body } = await subject.send(
    request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, groups, resourceAttributes: { verb, group, resource: kind, subresource, namespace, name } },
    }),
  )
  return status === 201 ? (JSON.parse(body) as { status: { allowed: boolean } }).status.allowed : undefined
}

function serviceAccountGroups(user: string): string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(user) ?? []
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
  return ['system:authenticated', ...own]
}

async function readsSecret(
  subject: Subject,
  { user, namespace, after }: { user: string; namespace: string; after: Rights },
): Promise<string[]> {
  const secret = 'bar'
  const { status } = await subject.send(
    request('GET', `/api/v1/namespaces/${namespace}/secrets/${secret}`, undefined, { as: user }),
  )
  const may = after.of(user).has(nameOf({ verb: 'get', group: '', resource: 'secrets', namespace, name: secret }))
  if (status === 200 && !may) return [`${user} reads the Secret ${secret} without the right to`]
  return status === 403 && may ? [`${user} is refused the Secret ${secret}, in spite of the right to get it`] : []
}
