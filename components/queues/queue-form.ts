/** The form of a queue: its input, and the resulting settings. */
import type { QueueSettingsView } from '@/lib/view/queue-model'
import { message, type Message } from '@/lib/messages'
import type { QueueSettings } from '../queue-actions/queue-api'

/** A row of two texts. Rows of which both are empty do not count. */
export interface Pair {
  name: string
  value: string
}

/** The values of the fields. */
export interface QueueDraft {
  namespace: string
  name: string
  /** Separated by commas or spaces. */
  namespaces: string
  strategy: QueueSettings['strategy']
  weight: string
  maxInFlight: string
  classes: Pair[]
  /** The class of workloads that name none; empty: their own priority counts. */
  defaultClass: string
  quota: 'none' | 'own' | 'federated'
  hard: Pair[]
  federatedResourceQuota: string
  borrowing: 'nothing' | 'limited' | 'everything'
  borrowingLimit: Pair[]
  onDelete: QueueSettings['onDelete']
}

/** What is wrong, by field. */
export type DraftErrors = Partial<Record<keyof QueueDraft, Message>>

const EMPTY: Pair = { name: '', value: '' }

export const NEW_QUEUE: QueueDraft = {
  namespace: '',
  name: '',
  namespaces: '',
  strategy: 'BestEffortFIFO',
  weight: '1',
  maxInFlight: '',
  classes: [],
  defaultClass: '',
  quota: 'none',
  hard: [EMPTY],
  federatedResourceQuota: '',
  borrowing: 'nothing',
  borrowingLimit: [EMPTY],
  onDelete: 'Release',
}

/** The fields as they are to be filled for a queue that exists. */
export function draftOf(
  { namespace, name }: { namespace: string; name: string },
  settings: QueueSettingsView,
): QueueDraft {
  const { quota } = settings
  const limit = quota?.borrowingLimit
  return {
    namespace,
    name,
    namespaces: settings.namespaces.join(', '),
    strategy: settings.strategy,
    weight: String(settings.weight),
    maxInFlight: settings.maxInFlight === undefined ? '' : String(settings.maxInFlight),
    classes: settings.priorityClasses.map((each) => ({ name: each.name, value: String(each.value) })),
    defaultClass: settings.priorityClasses.find((each) => each.default)?.name ?? '',
    quota: quota?.federatedResourceQuota !== undefined ? 'federated' : quota?.hard !== undefined ? 'own' : 'none',
    hard: pairsOf(quota?.hard),
    federatedResourceQuota: quota?.federatedResourceQuota ?? '',
    borrowing: limit === undefined ? 'nothing' : Object.keys(limit).length === 0 ? 'everything' : 'limited',
    borrowingLimit: pairsOf(limit),
    onDelete: settings.onDelete,
  }
}

function pairsOf(amounts: Record<string, string> | undefined): Pair[] {
  const pairs = Object.entries(amounts ?? {}).map(([name, value]) => ({ name, value }))
  return pairs.length > 0 ? pairs : [EMPTY]
}

const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const QUANTITY = /^\d+(\.\d*)?([eE]\d+|m|[kKMGTPE]i?)?$/
const INT32 = 2_147_483_647
const MAX_WEIGHT = 1000

/** Returns the errors of a draft; empty for a valid one. The server validates it again. */
export function checkDraft(draft: QueueDraft): DraftErrors {
  const errors: Record<string, Message | undefined> = {
    namespace: NAME.test(draft.namespace) ? undefined : message('queues.form.error.name'),
    name: NAME.test(draft.name) ? undefined : message('queues.form.error.name'),
    namespaces: wordsOf(draft.namespaces).every((each) => NAME.test(each))
      ? undefined
      : message('queues.form.error.namespaces'),
    weight: isWhole(draft.weight, 1, MAX_WEIGHT)
      ? undefined
      : message('queues.form.error.weight', { most: MAX_WEIGHT }),
    maxInFlight:
      draft.maxInFlight === '' || isWhole(draft.maxInFlight, 1, INT32)
        ? undefined
        : message('queues.form.error.maxInFlight'),
    classes: classesError(draft),
    defaultClass:
      draft.defaultClass === '' || filled(draft.classes).some(({ name }) => name === draft.defaultClass)
        ? undefined
        : message('queues.form.error.defaultClass'),
    ...quotaErrors(draft),
  }
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined)) as DraftErrors
}

function quotaErrors({
  quota,
  hard,
  federatedResourceQuota,
  borrowing,
  borrowingLimit,
}: QueueDraft): Record<string, Message | undefined> {
  if (quota === 'none') return {}
  return {
    ...(quota === 'own' && { hard: amountsError(hard) ?? missingError(hard, message('queues.form.error.noQuota')) }),
    ...(quota === 'federated'
      && !NAME.test(federatedResourceQuota) && { federatedResourceQuota: message('queues.form.error.federated') }),
    ...(borrowing === 'limited' && {
      borrowingLimit:
        amountsError(borrowingLimit) ?? missingError(borrowingLimit, message('queues.form.error.noBorrowing')),
    }),
  }
}

const missingError = (pairs: readonly Pair[], error: Message): Message | undefined =>
  filled(pairs).length === 0 ? error : undefined

function amountsError(pairs: readonly Pair[]): Message | undefined {
  const given = filled(pairs)
  const twice = repeated(given)
  if (twice !== undefined) return message('queues.form.error.twice', { name: twice })
  const nameless = given.find(({ name }) => name === '')
  if (nameless) return message('queues.form.error.noResource', { value: nameless.value })
  const negative = given.find(({ value }) => value.startsWith('-'))
  if (negative) return message('queues.form.error.negative', { name: negative.name })
  const missing = given.find(({ value }) => value === '')
  if (missing) return message('queues.form.error.noAmount', { name: missing.name })
  const wrong = given.find(({ value }) => !QUANTITY.test(value))
  return wrong && message('queues.form.error.noQuantity', { name: wrong.name, value: wrong.value })
}

function classesError({ classes }: QueueDraft): Message | undefined {
  const given = filled(classes)
  const twice = repeated(given)
  if (twice !== undefined) return message('queues.form.error.twice', { name: twice })
  const misnamed = given.find(({ name }) => !NAME.test(name))
  if (misnamed) return message('queues.form.error.className')
  const wrong = given.find(({ value }) => !isWhole(value, -INT32 - 1, INT32))
  return wrong && message('queues.form.error.classValue', { name: wrong.name })
}

function isWhole(text: string, least: number, most: number): boolean {
  const value = Number(text)
  return /^-?\d+$/.test(text) && value >= least && value <= most
}

const repeated = (pairs: readonly Pair[]): string | undefined =>
  pairs.find(({ name }, index) => pairs.findIndex((each) => each.name === name) < index)?.name

/** Returns rows that are not empty. */
const filled = (pairs: readonly Pair[]): Pair[] =>
  pairs
    .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
    .filter(({ name, value }) => name !== '' || value !== '')

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** Converts a draft without errors to settings. */
export function settingsOf(draft: QueueDraft): QueueSettings {
  return {
    namespaces: wordsOf(draft.namespaces).filter((each) => each !== draft.namespace),
    strategy: draft.strategy,
    weight: Number(draft.weight),
    onDelete: draft.onDelete,
    priorityClasses: filled(draft.classes).map(({ name, value }) => ({
      name,
      value: Number(value),
      ...(name === draft.defaultClass && { default: true }),
    })),
    ...(draft.maxInFlight !== '' && { maxInFlight: Number(draft.maxInFlight) }),
    ...(draft.quota !== 'none' && { quota: quotaOf(draft) }),
  }
}

function quotaOf(draft: QueueDraft): NonNullable<QueueSettings['quota']> {
  const amounts = (pairs: readonly Pair[]) => Object.fromEntries(filled(pairs).map(({ name, value }) => [name, value]))
  return {
    ...(draft.quota === 'own'
      ? { hard: amounts(draft.hard) }
      : { federatedResourceQuota: draft.federatedResourceQuota }),
    ...(draft.borrowing !== 'nothing' && {
      borrowingLimit: draft.borrowing === 'everything' ? {} : amounts(draft.borrowingLimit),
    }),
  }
}
