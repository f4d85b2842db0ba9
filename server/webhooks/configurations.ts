/** The webhook configurations: which writes are reviewed, where, and what happens when the webhook is unavailable. */
import { QUEUE_ANNOTATION, RELEASED_AT_ANNOTATION } from '@/lib/domain/queue'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@/lib/kube/kinds'
import type { AdmissionWebhook } from '@/lib/kube/kinds/admission-webhook'
import { SUSPENSION_WEBHOOK } from '@/lib/kube/admission/suspension'
import { SUSPENDED_BY_POLICY_ANNOTATION } from '@/lib/kube/names'
import type { Draft } from '@/lib/kube/object'
import { ASKED_FIELDS, GUARDED_NOTES } from './queue-bypass'

/** Name of both configurations. */
export const CONFIGURATION = 'evenkeel-queues'

export const paths = {
  suspend: '/bindings/mutate',
  recordResumer: '/bindings/mutate-freed',
  lateSuspension: '/bindings/validate-suspension',
  release: '/bindings/validate-release',
  stamp: '/queues/mutate',
  validate: '/queues/validate',
} as const

export interface ConfigurationInput {
  /** Without a slash at the end. */
  url: string
  /** The certificate (PEM) by which the server is known. */
  cert: string
  failurePolicy: 'Fail' | 'Ignore'
  /** Those that have a queue, sorted. */
  namespaces: readonly string[]
  /** The user of our own loops, who is not asked about; absent where it is not known. */
  ownUser?: string | undefined
  /** Refuse to suspend placed bindings; Karmada admits it. */
  refuseLateSuspension: boolean
}

const TIMEOUT_SECONDS = 3
const QUEUES = {
  apiGroups: ['evenkeel.io'],
  apiVersions: ['v1alpha1'],
  resources: ['queues'],
  scope: 'Namespaced' as const,
}
const bindings = (resources: string[], scope: '*' | 'Namespaced') => ({
  apiGroups: ['work.karmada.io'],
  apiVersions: ['v1alpha2'],
  resources,
  scope,
})

const suspendedIn = (state: string): string =>
  `(has(${state}.spec.suspension) && has(${state}.spec.suspension.scheduling) && ${state}.spec.suspension.scheduling)`

const placedIn = (state: string): string =>
  `(${['clusters', 'requiredBy'].map((field) => `(has(${state}.spec.${field}) && size(${state}.spec.${field}) > 0)`).join(' || ')})`

const noteIn = (state: string): string =>
  `(has(${state}.metadata.annotations) && note in ${state}.metadata.annotations ? ${state}.metadata.annotations[note] : '')`

const annotationIn = (state: string, name: string): string =>
  `(has(${state}.metadata.annotations) && '${name}' in ${state}.metadata.annotations `
  + `? ${state}.metadata.annotations['${name}'] : '')`

/** A binding that a queue suspended becomes free without the note of a release, which queues always write. */
const RESUMED_WITHOUT_ADMISSION =
  `${suspendedIn('oldObject')} && !${suspendedIn('object')} && ${annotationIn('oldObject', QUEUE_ANNOTATION)} != '' `
  + `&& ${annotationIn('object', RELEASED_AT_ANNOTATION)} == ${annotationIn('oldObject', RELEASED_AT_ANNOTATION)}`

const someNote = (test: string): string => `${JSON.stringify(GUARDED_NOTES)}.exists(note, ${test})`

const renamed = ['kind', 'name']
  .map((field) => `object.spec.resource.${field} != oldObject.spec.resource.${field}`)
  .join(' || ')

const asksOtherwise = ASKED_FIELDS.map(
  (field) =>
    `(has(object.spec.${field}) ? object.spec.${field} : null) != (has(oldObject.spec.${field}) ? oldObject.spec.${field} : null)`,
).join(' || ')

/**
 * What `queueBypass` might object to, and no other write: reports of the scheduler and of members are never asked about.
 */
const MAY_BYPASS_QUEUE =
  `request.operation == 'CREATE' ? !${suspendedIn('object')} || ${someNote(`${noteIn('object')} != ''`)} : `
  + `(${suspendedIn('oldObject')} && !${suspendedIn('object')}) || (${suspendedIn('object')} && ${placedIn('object')} `
  + `&& !${placedIn('oldObject')}) `
  + `|| ${someNote(`${noteIn('object')} != ${noteIn('oldObject')}`)} || ${renamed} `
  + `|| (${suspendedIn('oldObject')} && (${asksOtherwise}))`

/**
 * Every field that the server would fill in is there, and none that it would not keep, so that what is stored can be
 * compared with it: a write of an empty bundle is a new generation each time.
 */
function webhookFor(
  input: ConfigurationInput,
  wanted: Pick<AdmissionWebhook, 'name' | 'rules'> & { path: string } & Partial<AdmissionWebhook>,
): AdmissionWebhook {
  const { path, ...rest } = wanted
  return {
    admissionReviewVersions: ['v1'],
    clientConfig: {
      ...(input.cert !== '' && { caBundle: Buffer.from(input.cert).toString('base64') }),
      url: `${input.url}${path}`,
    },
    failurePolicy: input.failurePolicy,
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: 'None',
    timeoutSeconds: TIMEOUT_SECONDS,
    ...rest,
  }
}

/** A selector of no namespace is none: without queues the webhook for bindings is left out. */
const inNamespaces = (namespaces: readonly string[]) => ({
  matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In' as const, values: [...namespaces] }],
})

export function mutatingConfiguration(input: ConfigurationInput): Draft<MutatingWebhookConfiguration> {
  const mutating = (wanted: Parameters<typeof webhookFor>[1]): AdmissionWebhook =>
    webhookFor(input, { reinvocationPolicy: 'Never', ...wanted })
  const suspend = mutating({
    name: 'suspend.queue.evenkeel.io',
    path: paths.suspend,
    namespaceSelector: inNamespaces(input.namespaces),
    rules: [{ ...bindings(['resourcebindings'], 'Namespaced'), operations: ['CREATE'] }],
  })
  const recordResumer = mutating({
    name: 'freed.queue.evenkeel.io',
    path: paths.recordResumer,
    namespaceSelector: inNamespaces(input.namespaces),
    rules: [{ ...bindings(['resourcebindings'], 'Namespaced'), operations: ['UPDATE'] }],
    matchConditions: [{ name: 'freed-past-the-queue', expression: RESUMED_WITHOUT_ADMISSION }],
    // A note that is missing is no reason to refuse a write: others decide about that.
    failurePolicy: 'Ignore',
  })
  const stamp = mutating({
    name: 'stamp.queue.evenkeel.io',
    path: paths.stamp,
    rules: [{ ...QUEUES, operations: ['CREATE', 'UPDATE'] }],
  })
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: CONFIGURATION },
    webhooks: [...(input.namespaces.length > 0 ? [suspend, recordResumer] : []), stamp],
  }
}

export function validatingConfiguration(input: ConfigurationInput): Draft<ValidatingWebhookConfiguration> {
  const { namespaces, ownUser, refuseLateSuspension } = input
  const late = webhookFor(input, {
    name: SUSPENSION_WEBHOOK,
    path: paths.lateSuspension,
    rules: [{ ...bindings(['resourcebindings', 'clusterresourcebindings'], '*'), operations: ['UPDATE'] }],
    matchConditions: [
      {
        name: 'may-not-change',
        expression:
          `${suspendedIn('object')} ? !${suspendedIn('oldObject')} : `
          + `${suspendedIn('oldObject')} && ${annotationIn('object', SUSPENDED_BY_POLICY_ANNOTATION)} != ''`,
      },
    ],
  })
  const release = webhookFor(input, {
    name: 'release.queue.evenkeel.io',
    path: paths.release,
    namespaceSelector: inNamespaces(namespaces),
    rules: [{ ...bindings(['resourcebindings'], 'Namespaced'), operations: ['CREATE', 'UPDATE'] }],
    matchConditions: [
      { name: 'may-be-queue-bypass', expression: MAY_BYPASS_QUEUE },
      ...(ownUser === undefined
        ? []
        : [{ name: 'not-by-the-queue', expression: `request.userInfo.username != ${JSON.stringify(ownUser)}` }]),
    ],
  })
  const validate = webhookFor(input, {
    name: 'validate.queue.evenkeel.io',
    path: paths.validate,
    rules: [{ ...QUEUES, operations: ['CREATE', 'UPDATE'] }],
  })
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: CONFIGURATION },
    webhooks: [...(refuseLateSuspension ? [late] : []), ...(namespaces.length > 0 ? [release] : []), validate],
  }
}
