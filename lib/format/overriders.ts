/** What an override changes in the copy for a cluster, one sentence for each change. */
import type { Overriders } from '@/lib/kube/kinds/override-spec'
import { joinWords } from './numbers'

type Item<K extends keyof Overriders> = NonNullable<Overriders[K]>[number]

/** In the order in which the changes are made. */
export function overridersInWords(overriders: Overriders): string[] {
  const {
    imageOverrider = [],
    commandOverrider = [],
    argsOverrider = [],
    labelsOverrider = [],
    annotationsOverrider = [],
  } = overriders
  return [
    ...imageOverrider.map(imageWords),
    ...commandOverrider.map((item) => commandWords('command', item)),
    ...argsOverrider.map((item) => commandWords('arguments', item)),
    ...labelsOverrider.map((item) => entriesWords('label', item)),
    ...annotationsOverrider.map((item) => entriesWords('annotation', item)),
    ...(overriders.fieldOverrider ?? []).map(fieldWords),
    ...(overriders.plaintext ?? []).map(plaintextWords),
  ]
}

const PAST = { add: 'added', remove: 'removed', replace: 'replaced' } as const

function imageWords({ component, operator, value, predicate }: Item<'imageOverrider'>): string {
  const where = predicate ? ` at ${predicate.path}` : ''
  const what =
    operator === 'remove' || !value ? PAST[operator] : `${operator === 'add' ? 'extended by' : 'set to'} ${value}`
  return `image ${component.toLowerCase()}${where} ${what}`
}

function commandWords(what: string, { containerName, operator, value = [] }: Item<'commandOverrider'>): string {
  return `${what} of container ${containerName}: ${value.join(' ')} ${PAST[operator]}`
}

function entriesWords(what: string, { operator, value }: Item<'labelsOverrider'>): string {
  const entries = Object.entries(value).map(([key, text]) => (operator === 'remove' ? key : `${key}=${text}`))
  return `${what} ${joinWords(entries)} ${PAST[operator]}`
}

function fieldWords({ fieldPath, json = [], yaml = [] }: Item<'fieldOverrider'>): string {
  return `inside the text at ${fieldPath}: ${joinWords([...json, ...yaml].map(({ subPath, operator }) => `${subPath} ${PAST[operator]}`))}`
}

function plaintextWords({ path, operator, value }: Item<'plaintext'>): string {
  return operator === 'remove'
    ? `${path} removed`
    : `${path} ${operator === 'add' ? 'added as' : 'set to'} ${JSON.stringify(value ?? null)}`
}
