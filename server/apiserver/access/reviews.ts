/** Answers to questions about rights and tokens: POST of kinds that are never stored. */
import type {
  reviewKinds,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
  UserInfo,
} from '@/lib/kube/kinds/access-reviews'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import type { Attributes, Identity } from '@/lib/kube/rbac/attributes'
import { parseFieldSelector, parseLabelSelector } from '@/lib/kube/selector-text'
import { formatTime } from '@/lib/std/clock'
import type { Ask } from '../api'
import { readObject } from '../body'
import { type Caller, json, type Reply } from '../call'
import { badRequest } from '../failures'
import { dropUnknown } from '../field-validation'
import { checkNamespace } from '../verbs/create'
import { readDryRun } from '../verbs/write-options'
import { viewOf } from '../views/view'
import { refuseBadReview } from './review-validation'

type Kind = (typeof reviewKinds)[number]['kind']
type Question = UnknownObject

const answers: Readonly<Record<string, (ask: Ask, question: Question) => object>> = {
  SubjectAccessReview: reviewAccess,
  LocalSubjectAccessReview: reviewAccess,
  SelfSubjectAccessReview: reviewOwnAccess,
  SelfSubjectRulesReview: reviewOwnRules,
  SelfSubjectReview: reviewSelf,
  TokenReview: reviewToken,
} satisfies Record<Kind, unknown>

/** Answers a review. Throws 400, 415 and 422 for an invalid one. */
export async function answerReview(ask: Ask): Promise<Reply> {
  const {
    call,
    resource,
    target: { namespace },
  } = ask
  // The form of the answer is judged before the question is read.
  viewOf({ ...ask, target: { ...ask.target, name: '' } })
  readDryRun(call.query, 'CreateOptions')
  const question = dropUnknown(call, resource, await readObject(call, resource))
  checkNamespace(ask, question)
  const metadata = { ...question.metadata, ...(namespace !== undefined && { namespace }) }
  const { kind, apiVersion } = question
  const answer = answers[resource.kind.kind]?.(ask, { ...question, metadata })
  return json({ kind, apiVersion, ...answer }, 201)
}

function reviewAccess(ask: Ask, question: Question): object {
  refuseBadReview(ask.resource.kind.kind, question)
  const { spec, metadata } = question as unknown as SubjectAccessReview
  const { user = '', groups = [] } = spec
  return { metadata, spec, status: statusOf(ask, { user, groups }, spec) }
}

function reviewOwnAccess(ask: Ask, question: Question): object {
  refuseBadReview(ask.resource.kind.kind, question)
  const { spec, metadata } = question as unknown as SubjectAccessReview
  return { metadata, spec, status: statusOf(ask, ask.call.caller, spec) }
}

function statusOf({ api, keyspace }: Ask, identity: Identity, spec: SubjectAccessReview['spec']): object {
  const { allowed, reason } = api.access.authorizer.decide(keyspace.name, identity, attributesIn(spec))
  const ignored = unreadableSelectors(spec)
  const evaluationError = ignored.map((name) => `spec.resourceAttributes.${name} ignored due to parse error`).join('; ')
  return { allowed, ...(reason && { reason }), ...(evaluationError && { evaluationError }) }
}

/** Rights do not depend on selectors, but who asks hears of one that cannot be read. */
function unreadableSelectors({ resourceAttributes }: SubjectAccessReview['spec']): string[] {
  const { fieldSelector, labelSelector } = resourceAttributes ?? {}
  return [
    ...(parseFieldSelector(fieldSelector?.rawSelector ?? '').ok ? [] : ['fieldSelector']),
    ...(parseLabelSelector(labelSelector?.rawSelector ?? '').ok ? [] : ['labelSelector']),
  ]
}

function attributesIn({ resourceAttributes, nonResourceAttributes }: SubjectAccessReview['spec']): Attributes {
  if (!resourceAttributes) return { verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' }
  const { fieldSelector: _fields, labelSelector: _labels, ...named } = resourceAttributes
  return { ...NOTHING, ...named }
}

const NOTHING = { verb: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }

function reviewOwnRules({ api, keyspace, call }: Ask, question: Question): object {
  const { spec: { namespace = '' } = {} } = question as unknown as Partial<SelfSubjectRulesReview>
  if (namespace === '') throw badRequest('no namespace on request')
  const { rules, missing } = api.access.authorizer.rulesOf(keyspace.name, call.caller, namespace)
  const status = {
    resourceRules: rules.filter(({ resources }) => resources?.length),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length),
    incomplete: missing.length > 0,
    ...(missing.length > 0 && { evaluationError: missing.join(', ') }),
  }
  return { metadata: {}, spec: {}, status }
}

function reviewSelf({ api, call }: Ask): object {
  const metadata: Partial<ObjectMeta> = { creationTimestamp: formatTime(api.clock.now()) }
  return { metadata, status: { userInfo: userInfoOf(call.caller) } }
}

function reviewToken({ api, keyspace }: Ask, question: Question): object {
  const { metadata, spec: { token = '', audiences } = {} } = question as unknown as Partial<TokenReview>
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const verdict = api.access.reviewToken(keyspace.name, token, audiences?.length ? audiences : undefined)
  const status =
    'caller' in verdict
      ? { authenticated: true, user: userInfoOf(verdict.caller), audiences: verdict.audiences }
      : { user: {}, error: verdict.refusal }
  return { metadata, spec: question.spec, status }
}

function userInfoOf({ user, uid, groups, extra }: Caller): UserInfo {
  const more = extra && Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))
  return { username: user, ...(uid && { uid }), groups: [...groups], ...(more && { extra: more }) }
}
