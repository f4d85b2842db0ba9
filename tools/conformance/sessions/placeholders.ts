/** Comparing an answer with a recorded one in which names, ids and times are placeholders. */

/** Current values of the placeholders of one case. */
export interface Bindings {
  readonly values: Map<string, string>
}

const TOKEN = /\{\{([^}]+)\}\}/g

/** Patterns of placeholders that match a form. */
const FORMS: Readonly<Record<string, string>> = {
  listrv: '\\d+',
  continue: '[\\s\\S]+',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ',
  microtime: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z',
  nanotime: '\\S+',
  age: '\\S+',
  hash: '\\S+',
  suffix: '[bcdfghjklmnpqrstvwxz2456789]{5}',
  server: '\\S*',
  uid: '[0-9a-f-]{36}',
  rv: '\\d+',
  n: '\\d+',
  datetime: '[\\s\\S]+?',
  klog: '[\\s\\S]+?',
  token: '\\S+',
}

/** Puts values into a template that is sent. Throws for a placeholder that has none. */
export function fill(template: string, bindings: Bindings): string {
  return template.replaceAll(TOKEN, (whole, name: string) => {
    const repeat = /^repeat:(.):(\d+)$/.exec(name)
    if (repeat) return (repeat[1] as string).repeat(Number(repeat[2]))
    const value = bindings.values.get(name)
    if (value === undefined) throw new Error(`nothing was captured for ${whole}`)
    return value
  })
}

/** The same for a whole JSON value. */
export function fillValue(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') return fill(value, bindings)
  if (Array.isArray(value)) return value.map((item) => fillValue(item, bindings))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [fill(key, bindings), fillValue(child, bindings)]),
  )
}

/** Returns where and how two values differ, or undefined. Binds placeholders when it meets them. */
export function difference(expected: unknown, actual: unknown, bindings: Bindings, path = ''): string | undefined {
  if (typeof expected === 'string') return textDifference(expected, actual, bindings, path)
  if (Array.isArray(expected)) return listDifference(expected, actual, bindings, path)
  if (typeof expected === 'object' && expected !== null) {
    return objectDifference(expected as Fields, actual, bindings, path)
  }
  return expected === actual ? undefined : `${path}: ${show(actual)} instead of ${show(expected)}`
}

/** Fields that each server fills in its own way; that they are there is all that counts. */
function isFree(key: string, expected: unknown): boolean {
  return key === 'storageVersionHash' || ((key === 'clusterIP' || key === 'clusterIPs') && !isNone(expected))
}

function isNone(address: unknown): boolean {
  return [address].flat()[0] === 'None'
}

type Fields = Record<string, unknown>

function listDifference(
  ...[expected, actual, bindings, path]: [unknown[], unknown, Bindings, string]
): string | undefined {
  if (!Array.isArray(actual)) return `${path}: ${show(actual)} instead of a list`
  if (path.endsWith('/causes')) return causesDifference(expected, actual, bindings, path)
  if (path.endsWith('esourceRules')) return rulesDifference(expected, actual, bindings, path)
  const count =
    expected.length === actual.length
      ? undefined
      : `${path}: ${actual.length} items instead of ${expected.length}: ${show(actual)}`
  if (count) return count
  for (const [index, item] of expected.entries()) {
    const found = difference(item, actual[index], bindings, `${path}/${index}`)
    if (found) return found
  }
  return undefined
}

/** Rules of a user may have any order, and there may be more. */
function rulesDifference(
  ...[expected, actual, bindings, path]: [unknown[], unknown[], Bindings, string]
): string | undefined {
  const lacking = expected.find((rule) => !actual.some((one) => difference(rule, one, bindings) === undefined))
  return lacking === undefined ? undefined : `${path}: lacks ${show(lacking)}`
}

/** Causes are a set: in any order, with repetitions. */
function causesDifference(
  ...[expected, actual, bindings, path]: [unknown[], unknown[], Bindings, string]
): string | undefined {
  const keyOf = (cause: unknown): string => {
    const { field, reason, message } = cause as Fields
    return JSON.stringify([field, reason, message])
  }
  const byText = (list: unknown[]): unknown[] =>
    [...new Map(list.map((cause) => [keyOf(cause), cause])).values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return difference(byText(expected), byText(actual), bindings, `${path}*`)
}

function objectDifference(
  ...[expected, actual, bindings, path]: [Fields, unknown, Bindings, string]
): string | undefined {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) {
    return `${path}: ${show(actual)} instead of ${show(expected)}`
  }
  const keys = new Map(Object.keys(expected).map((key) => [key.includes('{{') ? fill(key, bindings) : key, key]))
  for (const key of Object.keys(actual)) {
    if (!keys.has(key)) return `${path}/${key}: ${show((actual as Fields)[key])} should not be there`
  }
  for (const [key, template] of keys) {
    if (!(key in actual)) return `${path}/${key} is missing: ${show(expected[template])}`
    if (isFree(key, expected[template])) continue
    const found = difference(expected[template], (actual as Fields)[key], bindings, `${path}/${key}`)
    if (found) return found
  }
  return undefined
}

function textDifference(
  ...[expected, actual, bindings, path]: [string, unknown, Bindings, string]
): string | undefined {
  if (typeof actual !== 'string') return `${path}: ${show(actual)} instead of ${show(expected)}`
  const normal = NORMAL[path.slice(path.lastIndexOf('/'))] ?? ((text: string) => text)
  const [wanted, found] = [normal(expected), normal(actual)]
  return matches(wanted, found, bindings) ? undefined : `${path}: ${show(actual)} instead of ${show(expected)}`
}

const GO_WORDING = new RegExp(
  '^(.*?(?:json parse error|json: cannot unmarshal|strconv\\.|yaml:|failed to create typed patch object|in scheme "|'
    + 'Invalid value: \\[\\{|&value\\.|&user\\.|schema\\.go))',
  's',
)

/**
 * Texts of Go's own decoders and dumps are compared up to where they begin, aggregated messages without their order.
 */
function normalMessage(text: string): string {
  const cut = GO_WORDING.exec(text)?.[1] ?? text
  const list = /^(.* is invalid: )\[(.*)\]$/s.exec(cut)
  return list ? `${list[1]}${(list[2] ?? '').split(', ').toSorted().join(', ')}` : cut
}

/** Which of several bindings is named for a permission may vary. */
const NORMAL: Readonly<Record<string, (text: string) => string>> = {
  '/message': normalMessage,
  '/reason': (text) => text.replace(/( allowed by ).*$/s, '$1'),
}

function matches(template: string, actual: string, bindings: Bindings): boolean {
  if (!template.includes('{{')) return template === actual
  const names: string[] = []
  const pattern = template.split(TOKEN).map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    names.push(part)
    return `(${patternOf(part, bindings)})`
  })
  const match = new RegExp(`^${pattern.join('')}$`).exec(actual)
  if (!match) return false
  return names.every((name, index) => bind(name, match[index + 1] ?? '', bindings))
}

function patternOf(name: string, bindings: Bindings): string {
  const repeat = /^repeat:(.):(\d+)$/.exec(name)
  if (repeat) return `${repeat[1]}{${repeat[2]}}`
  const bound = bindings.values.get(name)
  if (bound !== undefined) return bound.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return FORMS[name] ?? FORMS[name.split(':')[0] ?? ''] ?? '[\\s\\S]+?'
}

/** Another placeholder of the same family is another value. */
function bind(name: string, value: string, bindings: Bindings): boolean {
  if (name in FORMS || name.startsWith('repeat:')) return true
  const bound = bindings.values.get(name)
  if (bound !== undefined) return bound === value
  const family = /^(uid|rv):/.exec(name)?.[0]
  const taken = family && [...bindings.values].some(([other, present]) => other.startsWith(family) && present === value)
  if (taken) return false
  bindings.values.set(name, value)
  return true
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text
}
