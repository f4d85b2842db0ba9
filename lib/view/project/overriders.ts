/** Describes the changes of an override, one message each. */
import type { Overriders } from '@/lib/kube/kinds/override-spec'
import { message, type Message, type Value } from '@/lib/messages/message'

type Item<K extends keyof Overriders> = NonNullable<Overriders[K]>[number]
type Operator = 'add' | 'remove' | 'replace'

/** Returns messages in the order in which the changes are applied. */
export function overrideChanges(overriders: Overriders): Message[] {
  const {
    imageOverrider = [],
    commandOverrider = [],
    argsOverrider = [],
    labelsOverrider = [],
    annotationsOverrider = [],
  } = overriders
  return [
    ...imageOverrider.map(imageChange),
    ...commandOverrider.map((item) =>
      listChange(message('workload.override.command', { container: item.containerName }), item),
    ),
    ...argsOverrider.map((item) =>
      listChange(message('workload.override.args', { container: item.containerName }), item),
    ),
    ...labelsOverrider.map((item) => entriesChange(message('workload.override.labels'), item)),
    ...annotationsOverrider.map((item) => entriesChange(message('workload.override.annotations'), item)),
    ...(overriders.fieldOverrider ?? []).flatMap(fieldChanges),
    ...(overriders.plaintext ?? []).map(plaintextChange),
  ]
}

const changed = (operator: Operator, field: Value, value: Value): Message =>
  message(`workload.override.${operator}`, { field, value })

function imageChange({ component, operator, value, predicate }: Item<'imageOverrider'>): Message {
  const field = predicate
    ? message('workload.override.imageAt', { component, path: predicate.path })
    : message('workload.override.image', { component })
  if (operator === 'remove' || !value) return message('workload.override.deleted', { field })
  return message(operator === 'add' ? 'workload.override.appended' : 'workload.override.set', { field, value })
}

const listChange = (field: Message, { operator, value = [] }: Item<'commandOverrider'>): Message =>
  changed(operator, field, value.join(' '))

function entriesChange(field: Message, { operator, value }: Item<'labelsOverrider'>): Message {
  return changed(
    operator,
    field,
    Object.entries(value).map(([key, text]) => (operator === 'remove' ? key : `${key}=${text}`)),
  )
}

function fieldChanges({ fieldPath, json = [], yaml = [] }: Item<'fieldOverrider'>): Message[] {
  const field = message('workload.override.textAt', { path: fieldPath })
  return [...json, ...yaml].map(({ subPath, operator }) => changed(operator, field, subPath))
}

function plaintextChange({ path, operator, value }: Item<'plaintext'>): Message {
  return operator === 'remove'
    ? message('workload.override.deleted', { field: path })
    : message('workload.override.set', { field: path, value: JSON.stringify(value ?? null) })
}
