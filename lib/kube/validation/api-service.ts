/** The rules of APIServices, as the aggregation layer of kube-apiserver has them. */
import { base64Size } from '@/lib/std/base64'
import { type FieldError, invalidField, requiredField, unsupportedField } from '../field-error'
import type { ApiService } from '../kinds/api-service'
import type { UnknownObject } from '../object'
import type { KindRules, WriteContext } from '../rules'
import { checkDns1035Label, checkSubdomain } from './formats'

const HIGHEST_GROUP = 20_000
const HIGHEST_VERSION = 1000
const HIGHEST_PORT = 65_535
const DEFAULT_PORT = 443

export const apiServiceRules: KindRules = {
  checkName: () => [],
  applyDefaults: complete,
  prepareForCreate: startStatus,
  validate: validateApiService,
  validateStatus,
}

function complete(object: UnknownObject): UnknownObject {
  const { spec = {} as ApiService['spec'], status = {} } = object as unknown as ApiService
  const service = spec?.service && { port: DEFAULT_PORT, ...spec.service }
  const numbers = { groupPriorityMinimum: 0, versionPriority: 0 }
  return { ...object, spec: { ...spec, ...numbersOf(spec, numbers), ...(service && { service }) }, status }
}

function numbersOf(spec: object | undefined, zeros: object): object {
  return { ...zeros, ...Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => Object.hasOwn(zeros, name))) }
}

/** One that is served here is available at once. */
function startStatus(object: UnknownObject, { now }: WriteContext): UnknownObject {
  if ((object as unknown as ApiService).spec?.service) return { ...object, status: {} }
  return { ...object, status: { conditions: [localCondition(now)] } }
}

function localCondition(lastTransitionTime: string): object {
  const message = 'Local APIServices are always available'
  return { lastTransitionTime, message, reason: 'Local', status: 'True', type: 'Available' }
}

function validateApiService(object: UnknownObject): FieldError[] {
  const { metadata, spec = {} as NonNullable<ApiService['spec']> } = object as unknown as ApiService
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec
  const required = `${version}.${group}`
  const nameRule = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`
  return [
    ...(metadata.name === required ? [] : [invalidField('metadata.name', metadata.name, nameRule)]),
    ...(group === '' && version !== 'v1'
      ? [requiredField('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : checkSubdomain(group).map((why) => invalidField('spec.group', group, why))),
    ...checkDns1035Label(version).map((why) => invalidField('spec.version', version, why)),
    ...checkPriority('spec.groupPriorityMinimum', groupPriorityMinimum, HIGHEST_GROUP),
    ...checkPriority('spec.versionPriority', versionPriority, HIGHEST_VERSION),
    ...validateTarget(spec),
  ]
}

function checkPriority(field: string, value: number, highest: number): FieldError[] {
  return value > 0 && value <= highest ? [] : [invalidField(field, value, `must be positive and less than ${highest}`)]
}

function validateTarget({
  service,
  caBundle = '',
  insecureSkipTLSVerify,
}: NonNullable<ApiService['spec']>): FieldError[] {
  const skips = insecureSkipTLSVerify === true
  const skipped = (why: string): FieldError => invalidField('spec.insecureSkipTLSVerify', true, why)
  if (!service) {
    const bundle = `${base64Size(caBundle)} bytes`
    return [
      ...(caBundle === '' ? [] : [invalidField('spec.caBundle', bundle, 'local APIServices may not have a caBundle')]),
      ...(skips ? [skipped('local APIServices may not have insecureSkipTLSVerify')] : []),
    ]
  }
  const { namespace = '', name = '', port = DEFAULT_PORT } = service
  const portRule = `port is not valid: must be between 1 and ${HIGHEST_PORT}, inclusive`
  return [
    ...(namespace === '' ? [requiredField('spec.service.namespace')] : []),
    ...(name === '' ? [requiredField('spec.service.name')] : []),
    ...(port >= 1 && port <= HIGHEST_PORT ? [] : [invalidField('spec.service.port', port, portRule)]),
    ...(skips && caBundle !== '' ? [skipped('may not be true if caBundle is present')] : []),
  ]
}

const STATUSES = ['True', 'False', 'Unknown']

function validateStatus(next: UnknownObject): FieldError[] {
  return ((next as unknown as ApiService).status?.conditions ?? []).flatMap(({ status = '' }, at) =>
    STATUSES.includes(status) ? [] : [unsupportedField(`status.conditions[${at}].status`, status, STATUSES)],
  )
}
