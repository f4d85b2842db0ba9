/**
 * Holds everything that handles objects of requests to `fields.ts`: a field whose name is computed is written with
 * `setField`, and a table or map is read with `ownField`. An assignment may exchange a prototype; a read may find
 * `Object.prototype.constructor`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { type Node, parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const FOLDERS = ['server/apiserver', 'lib/kube', 'lib/std', 'lib/domain/override', 'lib/domain/interpreter']
const OUTSIDE = /\.test\.ts$|\/testing\/|\/fuzz\/|\/conformance\/|^lib\/std\/fields\.ts$/

/** Names of positions in lists. */
const POSITION = /^(at|index|i|j|low|middle|head|first|position|awaited|left|right|here|hole|next[A-Z]\w*)$/
/** Names of constants: what they hold is not the client's. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/
/** Objects that are looked into by a name from elsewhere: tables of the source, and maps of the API. */
const LOOKED_UP = /^([A-Z][A-Z0-9_]*|properties|labels|annotations|matchLabels|data|limits|requests|hard|used|overall)$/

/** Accesses that were looked at, by why their names cannot be a client's. */
const REVIEWED = new Set([
  // Path elements have a prefix: `f:name`.
  'grown[element]',
  'out[element]',
  'out[fieldElement(name)]',
  '(out ??= { ...set })[element]',
  // Definitions have a group and a version in their names, paths begin with a slash.
  'definitions[name]',
  'definitions[`${name}List`]',
  'publication.definitions[definition]',
  "Object.assign( {}, ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v3')), )",
  "Object.assign( {}, ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v2')), )",
  'SPECIAL[`${resource.id}/${subresource}`]',
  // One character, a word that a pattern or parser has let through, or a position.
  "LITERALS[text[start] ?? '']",
  'VERBS[call.method]',
  'STAGES[stage]',
  'UNIT_SECONDS[unit!]',
  "UNIT_NANOS[unit ?? '']",
  "DECIMAL_SUFFIXES[suffix ?? '']",
  'BINARY_SUFFIXES[step]',
  'UNIT_MS[unit as keyof typeof UNIT_MS]',
  'MEMORY_BORDERS[grade]',
  // A name from a list in the source.
  'HOOK_OPERATIONS[operation]',
  'UNITS[power]',
  'OPTIONS[operation]',
  'OLD_PREFIXES[prefix]',
  'MODES[mode]',
  'metadata.annotations?.[annotation]',
  'annotations[annotation]',
  'annotations?.[key]',
  'labels?.[label]',
  'policy.metadata.labels?.[flavour.idLabel]',
  'old.metadata.labels?.[flavour.idLabel]',
  'BITS[address.family]',
  'SPECIAL_BLOCKS[purpose]',
  'TYPE_MISSING[level]',
  'limits[name]',
  'requests[name]',
  'EXPECTED[scalar]',
  'STRUCTS[struct]',
  'KINDS[kind]',
  'LIMIT_WORDS[high]',
  'SCRIPTED[operation]',
  'headers[name]',
  'rest[name]',
  'out[name]',
])

interface Finding {
  place: string
  text: string
}

type Any = Node & Record<string, unknown>

function findingsIn(file: string): Finding[] {
  const source = readFileSync(file, 'utf8')
  const findings: Finding[] = []
  const textOf = (node: Node): string => source.slice(node.start, node.end)
  const report = (node: Node): void => {
    const text = textOf(node).replaceAll(/\s+/g, ' ')
    if (REVIEWED.has(text)) return
    findings.push({ place: `${file}:${source.slice(0, node.start).split('\n').length}`, text })
  }
  const visit = (node: Any, parent: Any | undefined): void => {
    if (node.type === 'MemberExpression' && node.computed) {
      const key = node.property as Any
      if (isFixed(key, textOf(key))) {
        /* a name or position of the source */
      } else if (isWritten(node, parent)) report(node)
      else if (LOOKED_UP.test(lastName(node.object as Any))) report(node)
    }
    if (node.type === 'CallExpression' && textOf(node.callee as Any) === 'Object.assign') report(node)
    if (node.type === 'BinaryExpression' && node.operator === 'in') {
      const left = node.left as Any
      if (!isFixed(left, textOf(left))) report(node)
    }
    for (const child of Object.values(node)) {
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one, node)
    }
  }
  visit(parseSync(file, source).program as unknown as Any, undefined)
  return findings
}

const isNode = (value: unknown): value is Any => typeof value === 'object' && value !== null && 'type' in value

function isFixed(key: Any, text: string): boolean {
  switch (key.type) {
    case 'Literal':
    case 'UpdateExpression':
      return true
    case 'BinaryExpression':
      return key.operator !== '+' || !text.includes("'")
    case 'CallExpression':
      return /^(Number|indexIn|Math\.\w+)\(/.test(text)
    default:
      return POSITION.test(text) || CONSTANT.test(text)
  }
}

function isWritten(node: Any, parent: Any | undefined): boolean {
  if (parent?.type === 'AssignmentExpression') return parent.left === node
  return parent?.type === 'UpdateExpression' || (parent?.type === 'UnaryExpression' && parent.operator === 'delete')
}

/** `labels` of `object.metadata.labels?.[name]`. */
function lastName(object: Any): string {
  if (object.type === 'Identifier') return object.name as string
  if (object.type === 'MemberExpression' && !object.computed) return (object.property as Any).name as string
  if (object.type === 'TSNonNullExpression' || object.type === 'TSAsExpression')
    return lastName(object.expression as Any)
  return ''
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
).filter((file) => file.endsWith('.ts') && !OUTSIDE.test(file))

describe('a computed name', () => {
  it('is looked for in every folder that handles objects of requests', () => {
    for (const folder of FOLDERS) expect(files.some((file) => file.startsWith(folder))).toBe(true)
  })

  it('is written and looked up with the functions of fields.ts', () => {
    expect(files.flatMap(findingsIn)).toEqual([])
  })
})
