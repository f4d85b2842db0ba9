/**
 * The forms of names, labels and keys. Each check returns what is wrong in the words of kube-apiserver, so that a
 * refusal reads the same on both; an empty list means the value is right.
 */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const UNDERSCORED = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = `(${QUALIFIED})?`

interface Form {
  pattern: RegExp
  text: string
}

function form(rule: string, examples: readonly string[], source: string): Form {
  const listed = examples
    .map((example) => `'${example}'`)
    .join(', or ')
    .replaceAll(', or ', ',  or ')
  return {
    pattern: new RegExp(`^${source}$`),
    text: `${rule} (e.g. ${listed}, regex used for validation is '${source}')`,
  }
}

const END_RULE = 'and must start and end with an alphanumeric character'
const label = form(
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${END_RULE}`,
  ['my-name', '123-abc'],
  LABEL,
)
const label1035 = form(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    + 'and end with an alphanumeric character',
  ['my-name', 'abc-123'],
  LABEL_1035,
)
const subdomain = form(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${END_RULE}`,
  ['example.com'],
  SUBDOMAIN,
)
const wildcard = form(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case "
    + "alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  ['*.example.com'],
  `\\*\\.${SUBDOMAIN}`,
)
const underscored = form(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${END_RULE}`,
  ['example.com'],
  `${UNDERSCORED}(\\.${UNDERSCORED})*`,
)
const QUALIFIED_RULE = `must consist of alphanumeric characters, '-', '_' or '.', ${END_RULE}`
const qualifiedPart = form(QUALIFIED_RULE, ['MyName', 'my.name', '123-abc'], QUALIFIED)
const labelValue = form(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${END_RULE}`,
  ['MyValue', 'my_value', '12345'],
  LABEL_VALUE,
)

const MAX_LABEL = 63
const MAX_SUBDOMAIN = 253
const tooLong = (limit: number, unit: string): string => `must be no more than ${limit} ${unit}`

function check(value: string, rule: Form, limit: number, unit: string): string[] {
  const problems = value.length > limit ? [tooLong(limit, unit)] : []
  return rule.pattern.test(value) ? problems : [...problems, rule.text]
}

/** A DNS-1123 label: names of namespaces and containers. */
export function checkDnsLabel(value: string): string[] {
  const dotted = value.includes('.') && subdomain.pattern.test(value)
  const problems = check(value, label, MAX_LABEL, 'characters')
  return dotted ? problems.map((problem) => (problem === label.text ? 'must not contain dots' : problem)) : problems
}
/** A DNS-1035 label: names of services. */
export const checkDns1035Label = (value: string): string[] => check(value, label1035, MAX_LABEL, 'characters')
/** A DNS-1123 subdomain: names of most objects. */
export const checkSubdomain = (value: string): string[] => check(value, subdomain, MAX_SUBDOMAIN, 'characters')
/** The same with underscores, as names of services in DNS have them. */
export const checkUnderscoredName = (value: string): string[] => check(value, underscored, MAX_SUBDOMAIN, 'characters')
/** A subdomain for kinds whose names are judged by a declaration. */
export const checkDeclaredName = (value: string): string[] => check(value, subdomain, MAX_SUBDOMAIN, 'bytes')
/** All subdomains of one: `*.` and the one. */
export const checkWildcard = (value: string): string[] => check(value, wildcard, MAX_SUBDOMAIN, 'characters')
/** The value of a label. */
export const checkLabelValue = (value: string): string[] => check(value, labelValue, MAX_LABEL, 'bytes')

/** The names of RBAC objects: anything that can be one segment of a path. */
export function checkPathSegment(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return ['/', '%']
    .filter((character) => value.includes(character))
    .map((character) => `may not contain '${character}'`)
}

/** The key of a label, annotation or condition: a name with an optional DNS prefix. */
export function checkQualifiedName(value: string): string[] {
  const slash = value.indexOf('/')
  if (slash < 0) return checkNamePart(value)
  if (value.includes('/', slash + 1)) {
    const prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    return [`a valid label key ${qualifiedPart.text} ${prefix}`]
  }
  return [...checkPrefix(value.slice(0, slash)), ...checkNamePart(value.slice(slash + 1))]
}

function checkPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  return checkSubdomain(prefix).map((problem) => `prefix part ${problem}`)
}

function checkNamePart(name: string): string[] {
  const problems: string[] = []
  if (name === '') problems.push('name part must be non-empty')
  else if (name.length > MAX_LABEL) problems.push(`name part ${tooLong(MAX_LABEL, 'bytes')}`)
  if (!qualifiedPart.pattern.test(name)) problems.push(`name part ${qualifiedPart.text}`)
  return problems
}
