/** The messages of roles, bindings, tokens and questions about rights. See `message.ts` for the notation. */
import type { Message } from './message'

const review = (spec: string, status: string): Message => (
  { 1: 'metadata ObjectMeta', 2: `spec ${spec}`, 3: `status ${status}` }
)
const binding: Message = { 1: 'metadata ObjectMeta', 2: 'subjects []Subject', 3: 'roleRef RoleRef' }
const RBAC = 'rbac.authorization.k8s.io/v1'
const AUTHORIZATION = 'authorization.k8s.io/v1'
const AUTHENTICATION = 'authentication.k8s.io/v1'
const ACCESS = 'SubjectAccessReviewStatus'

export const accessMessages: Readonly<Record<string, Message>> = {
  [`${RBAC}/Role`]: { 1: 'metadata ObjectMeta', 2: 'rules []PolicyRule' },
  [`${RBAC}/ClusterRole`]: {
    1: 'metadata ObjectMeta', 2: 'rules []PolicyRule', 3: 'aggregationRule AggregationRule',
  },
  [`${RBAC}/RoleBinding`]: binding,
  [`${RBAC}/ClusterRoleBinding`]: binding,
  PolicyRule: {
    1: 'verbs []s', 2: 'apiGroups []s', 3: 'resources []s', 4: 'resourceNames []s', 5: 'nonResourceURLs []s',
  },
  AggregationRule: { 1: 'clusterRoleSelectors []LabelSelector' },
  Subject: { 1: 'kind s', 2: 'apiGroup s', 3: 'name s', 4: 'namespace s' },
  RoleRef: { 1: 'apiGroup s', 2: 'kind s', 3: 'name s' },
  [`${AUTHORIZATION}/SubjectAccessReview`]: review('SubjectAccessReviewSpec', ACCESS),
  [`${AUTHORIZATION}/LocalSubjectAccessReview`]: review('SubjectAccessReviewSpec', ACCESS),
  [`${AUTHORIZATION}/SelfSubjectAccessReview`]: review('SelfSubjectAccessReviewSpec', ACCESS),
  [`${AUTHORIZATION}/SelfSubjectRulesReview`]: review('SelfSubjectRulesReviewSpec', 'SubjectRulesReviewStatus'),
  SubjectAccessReviewSpec: {
    1: 'resourceAttributes ResourceAttributes', 2: 'nonResourceAttributes NonResourceAttributes', 3: 'user s',
    4: 'groups []s', 6: 'uid s',
  },
  SelfSubjectAccessReviewSpec: {
    1: 'resourceAttributes ResourceAttributes', 2: 'nonResourceAttributes NonResourceAttributes',
  },
  SelfSubjectRulesReviewSpec: { 1: 'namespace s' },
  ResourceAttributes: {
    1: 'namespace s', 2: 'verb s', 3: 'group s', 4: 'version s', 5: 'resource s', 6: 'subresource s', 7: 'name s',
  },
  NonResourceAttributes: { 1: 'path s', 2: 'verb s' },
  SubjectAccessReviewStatus: { 1: 'allowed b', 2: 'reason s', 3: 'evaluationError s', 4: 'denied b' },
  SubjectRulesReviewStatus: {
    1: 'resourceRules []PolicyRule', 2: 'nonResourceRules []PolicyRule', 3: 'incomplete b', 4: 'evaluationError s',
  },
  [`${AUTHENTICATION}/TokenRequest`]: review('TokenRequestSpec', 'TokenRequestStatus'),
  TokenRequestSpec: { 1: 'audiences []s', 3: 'boundObjectRef BoundObjectReference', 4: 'expirationSeconds i' },
  BoundObjectReference: { 1: 'kind s', 2: 'apiVersion s', 3: 'name s', 4: 'uid s' },
  TokenRequestStatus: { 1: 'token s', 2: 'expirationTimestamp t' },
  [`${AUTHENTICATION}/TokenReview`]: review('TokenReviewSpec', 'TokenReviewStatus'),
  TokenReviewSpec: { 1: 'token s', 2: 'audiences []s' },
  TokenReviewStatus: { 1: 'authenticated b', 2: 'user UserInfo', 3: 'error s', 4: 'audiences []s' },
  [`${AUTHENTICATION}/SelfSubjectReview`]: { 1: 'metadata ObjectMeta', 2: 'status SelfSubjectReviewStatus' },
  SelfSubjectReviewStatus: { 1: 'userInfo UserInfo' },
  UserInfo: { 1: 'username s', 2: 'uid s', 3: 'groups []s' },
}
