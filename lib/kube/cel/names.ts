/** Escaping of field names that are not CEL identifiers. */

const RESERVED = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
])
const SPELLINGS: readonly [string, string][] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]

/** The name of a field in a rule; undefined for a field that rules cannot name. */
export function celNameOf(field: string): string | undefined {
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(field)) return undefined
  if (RESERVED.has(field)) return `__${field}__`
  return SPELLINGS.reduce((name, [from, to]) => name.replaceAll(from, to), field.replaceAll('__', '\0')).replaceAll(
    '\0',
    '__underscores__',
  )
}
