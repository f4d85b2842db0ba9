/** The rules of CertificateSigningRequests, as kube-apiserver has them in its registry of certificates. */
import { deepEqual } from '@/lib/std/equal'
import { decodeBase64 } from '@/lib/std/base64'
import { omit } from '@/lib/std/omit'
import { repeats } from '@/lib/std/repeats'
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from '../field-error'
import type { CertificateCondition, CertificateSigningRequest } from '../kinds/certificate-signing-request'
import type { UnknownObject } from '../object'
import type { KindRules, StatusContext } from '../rules'
import { checkDnsLabel, checkSubdomain } from './formats'

/** Ways of using a key that its certificate may name. */
export const keyUsages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown'
const MIN_SECONDS = 600
const MAX_DOMAIN_LENGTH = 253
const MAX_SIGNER_LENGTH = 571

const APPROVED = 'Approved'
const DENIED = 'Denied'
const FAILED = 'Failed'
const CONDITIONS = 'status.conditions'

export const certificateRules: KindRules = {
  checkName: () => [],
  applyDefaults: (object) => ({ ...object, status: object.status ?? {} }),
  prepareForUpdate: (next, old) => ({ ...next, spec: old.spec }),
  prepareForStatus,
  validate: validateRequest,
  validateStatus,
}

function validateRequest(object: UnknownObject): FieldError[] {
  const { spec } = object as unknown as CertificateSigningRequest
  const { usages = [], signerName = '', expirationSeconds } = spec
  const isRepeated = repeats()
  return [
    ...validatePem(spec.request),
    ...(usages.length === 0 ? [requiredField('spec.usages')] : []),
    ...usages.flatMap((usage, at) =>
      keyUsages.includes(usage) ? [] : [unsupportedField(`spec.usages[${at}]`, usage, keyUsages)],
    ),
    ...usages.flatMap((usage, at) => (isRepeated(usage) ? [duplicateField(`spec.usages[${at}]`, usage)] : [])),
    ...(signerName === LEGACY_SIGNER
      ? [invalidField('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version')]
      : validateSignerName(signerName)),
    ...(expirationSeconds !== undefined && expirationSeconds < MIN_SECONDS
      ? [
          invalidField(
            'spec.expirationSeconds',
            expirationSeconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ]
}

const PEM_HEADER = '-----BEGIN CERTIFICATE REQUEST-----'

/** What is no request at all. Whether it can be read is judged when it is. */
function validatePem(request: string | undefined): FieldError[] {
  return decodeBase64(request ?? '')?.includes(PEM_HEADER)
    ? []
    : [invalidField('spec.request', request ?? null, 'PEM block type must be CERTIFICATE REQUEST')]
}

function validateSignerName(name: string): FieldError[] {
  const field = 'spec.signerName'
  if (name === '') return [requiredField(field)]
  const [domain = '', path = '', ...more] = name.split('/')
  if (!name.includes('/') || more.length > 0) {
    return [
      invalidField(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ]
  }
  const labels = domain.split('.')
  return [
    ...(domain.length > MAX_DOMAIN_LENGTH ? [tooLongField(field, MAX_DOMAIN_LENGTH)] : []),
    ...firstProblem(labels, checkDnsLabel, (why) => invalidField(field, domain, why)),
    ...(labels.length < 2
      ? [invalidField(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstProblem(path.split('.'), checkSubdomain, (why) => invalidField(field, path, why)),
    ...(name.length > MAX_SIGNER_LENGTH ? [tooLongField(field, MAX_SIGNER_LENGTH)] : []),
  ]
}

/** The findings about the first wrong label. */
function firstProblem(
  labels: readonly string[],
  check: (label: string) => string[],
  finding: (why: string) => FieldError,
): FieldError[] {
  for (const label of labels) {
    const problems = check(label)
    if (problems.length > 0)
      return problems.map((problem) => finding(`validating label ${JSON.stringify(label)}: ${problem}`))
  }
  return []
}

function conditionsOf(object: UnknownObject): readonly CertificateCondition[] {
  return (object as unknown as CertificateSigningRequest).status?.conditions ?? []
}

const certificateOf = (object: UnknownObject): string =>
  (object as unknown as CertificateSigningRequest).status?.certificate ?? ''

const ofType = (object: UnknownObject, type: string): CertificateCondition[] =>
  conditionsOf(object).filter((condition) => condition.type === type)

/** An approval changes conditions only; a status keeps the decision as it is. */
function prepareForStatus(next: UnknownObject, old: UnknownObject, { part, now }: StatusContext): UnknownObject {
  const timed = conditionsOf(next).map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? sinceWhen(condition, old) ?? now,
  }))
  const conditions = part === 'approval' ? timed : keepDecisions(timed, old)
  const rest = omit((part === 'approval' ? old : next).status as { conditions?: unknown }, 'conditions')
  return { ...next, status: { ...rest, ...(conditions.length > 0 && { conditions }) } }
}

function sinceWhen({ type, status }: CertificateCondition, old: UnknownObject): string | undefined {
  return ofType(old, type).find((condition) => condition.status === status)?.lastTransitionTime
}

function keepDecisions(conditions: CertificateCondition[], old: UnknownObject): CertificateCondition[] {
  return [APPROVED, DENIED].reduce((kept, type) => {
    const before = ofType(old, type)
    if (kept.filter((condition) => condition.type === type).length !== before.length) return kept
    const next = [...before]
    return kept.map((condition) => (condition.type === type ? (next.shift() ?? condition) : condition))
  }, conditions)
}

function validateStatus(next: UnknownObject, old: UnknownObject, part: StatusContext['part']): FieldError[] {
  return [...validateConditions(next), ...validateDecisions(next, old, part), ...validateCertificate(next, old, part)]
}

function validateConditions(object: UnknownObject): FieldError[] {
  const isRepeated = repeats()
  const types = new Set<string>()
  return conditionsOf(object).flatMap(({ type, status }, at) => {
    const field = `${CONDITIONS}[${at}]`
    const supported = [APPROVED, DENIED, FAILED].includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    const opposite = type === APPROVED ? DENIED : type === DENIED ? APPROVED : undefined
    const clashes = opposite !== undefined && types.has(opposite)
    types.add(type)
    return [
      ...(type === '' ? [requiredField(`${field}.type`)] : []),
      ...(status === '' ? [requiredField(`${field}.status`)] : []),
      ...(status !== '' && !supported.includes(status) ? [unsupportedField(`${field}.status`, status, supported)] : []),
      ...(clashes ? [invalidField(CONDITIONS, type, 'Approved and Denied conditions are mutually exclusive')] : []),
      ...(isRepeated(type) ? [duplicateField(`${field}.type`, type)] : []),
    ]
  })
}

function validateDecisions(next: UnknownObject, old: UnknownObject, part: StatusContext['part']): FieldError[] {
  return [APPROVED, DENIED, FAILED].flatMap((type) => {
    const [before, after] = [ofType(old, type), ofType(next, type)]
    if (after.length < before.length) {
      return [forbiddenField(CONDITIONS, `updates may not remove a condition of type "${type}"`)]
    }
    if (part === 'approval' || type === FAILED || deepEqual(before, after)) return []
    const what = after.length > before.length ? 'add' : 'modify'
    return [forbiddenField(CONDITIONS, `updates may not ${what} a condition of type "${type}"`)]
  })
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/

function validateCertificate(next: UnknownObject, old: UnknownObject, part: StatusContext['part']): FieldError[] {
  const [before, after] = [certificateOf(old), certificateOf(next)]
  if (before === after) return []
  const field = 'status.certificate'
  if (part === 'approval') return [forbiddenField(field, 'updates may not set certificate content')]
  if (before !== '') return [forbiddenField(field, 'updates may not modify existing certificate content')]
  if (CERTIFICATE.test(decodeBase64(after) ?? '')) return []
  return [invalidField(field, '<certificate data>', 'must contain at least one CERTIFICATE PEM block')]
}
