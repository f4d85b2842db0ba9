/** Questions about rights: answered when they are created, never stored. */
import { defineKind, type ObjectOf } from '../kind'
import { boolean, int64, map, object, string } from '../schema'
import { policyRule } from './cluster-role'
import { atomicList, atomicStrings } from './lists'

const requirement = object(
  { key: string(), operator: string(), values: atomicStrings() },
  { required: ['key', 'operator'] },
)
const selector = object({ rawSelector: string(), requirements: atomicList(requirement) })

const resourceAttributes = object({
  fieldSelector: selector,
  group: string(),
  labelSelector: selector,
  name: string(),
  namespace: string(),
  resource: string(),
  subresource: string(),
  verb: string(),
  version: string(),
})

const nonResourceAttributes = object({ path: string(), verb: string() })

const access = object(
  { allowed: boolean(), denied: boolean(), evaluationError: string(), reason: string() },
  { required: ['allowed'] },
)

const subject = object({
  extra: map(atomicStrings()),
  groups: atomicStrings(),
  nonResourceAttributes,
  resourceAttributes,
  uid: string(),
  user: string(),
})

const authorization = { group: 'authorization.k8s.io', version: 'v1', origin: 'builtin', transient: true } as const

/** Checks whether a user or group may make a request, in any namespace or at cluster scope. */
export const subjectAccessReview = defineKind({
  ...authorization,
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
  fields: object({ spec: subject, status: access }, { required: ['spec'] }),
})

/** Checks whether a user or group may make a request in the namespace of the review. */
export const localSubjectAccessReview = defineKind({
  ...authorization,
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
  fields: object({ spec: subject, status: access }, { required: ['spec'] }),
})

/** May I do this? */
export const selfSubjectAccessReview = defineKind({
  ...authorization,
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
  fields: object(
    { spec: object({ nonResourceAttributes, resourceAttributes }), status: access },
    { required: ['spec'] },
  ),
})

/** Lists the permissions of the current user in a namespace. */
export const selfSubjectRulesReview = defineKind({
  ...authorization,
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
  fields: object(
    {
      spec: object({ namespace: string() }),
      status: object(
        {
          evaluationError: string(),
          incomplete: boolean(),
          nonResourceRules: atomicList(policyRule),
          resourceRules: atomicList(policyRule),
        },
        { required: ['incomplete', 'nonResourceRules', 'resourceRules'] },
      ),
    },
    { required: ['spec'] },
  ),
})

const userInfo = object({ extra: map(atomicStrings()), groups: atomicStrings(), uid: string(), username: string() })

const authentication = { group: 'authentication.k8s.io', version: 'v1', origin: 'builtin', transient: true } as const

/** Returns the current user. */
export const selfSubjectReview = defineKind({
  ...authentication,
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
  fields: object({ status: object({ userInfo }) }),
})

/** Checks a token and returns its user. */
export const tokenReview = defineKind({
  ...authentication,
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
  fields: object(
    {
      spec: object({ audiences: atomicStrings(), token: string() }),
      status: object({ audiences: atomicStrings(), authenticated: boolean(), error: string(), user: userInfo }),
    },
    { required: ['spec'] },
  ),
})

export type SubjectAccessReview = ObjectOf<typeof subjectAccessReview>
export type SelfSubjectRulesReview = ObjectOf<typeof selfSubjectRulesReview>
export type TokenReview = ObjectOf<typeof tokenReview>
export type UserInfo = NonNullable<NonNullable<ObjectOf<typeof selfSubjectReview>['status']>['userInfo']>

/** All of them. A server answers them itself; nothing lists or watches them. */
export const reviewKinds = [
  subjectAccessReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  selfSubjectReview,
  tokenReview,
] as const

/** Asks for a token of a service account; the subresource `serviceaccounts/token`. */
export const tokenRequest = defineKind({
  ...authentication,
  kind: 'TokenRequest',
  plural: 'tokenrequests',
  scope: 'Namespaced',
  fields: object(
    {
      spec: object(
        {
          audiences: atomicStrings(),
          boundObjectRef: object({ apiVersion: string(), kind: string(), name: string(), uid: string() }),
          expirationSeconds: int64(),
        },
        { required: ['audiences'] },
      ),
      status: object({ expirationTimestamp: string(), token: string() }),
    },
    { required: ['spec'] },
  ),
})

export type TokenRequest = ObjectOf<typeof tokenRequest>
