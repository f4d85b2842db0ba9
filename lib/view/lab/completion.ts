/** Completions in the YAML editor, from the schema of the policy. */
import { propagationSpec } from '@/lib/kube/kinds/propagation-spec'
import type { StructuralSchema } from '@/lib/kube/schema'

export interface Completion {
  label: string
  /** A field, or one of the values of a field. */
  isField: boolean
}

/** Returns the fields that are possible at the position, or the values of the field in its line. */
export function completionsAt(text: string, position: number): Completion[] {
  const lines = text.slice(0, position).split('\n')
  const current = lines.at(-1) ?? ''
  const value = /^\s*(?:- )*([\w-]+):\s+\S*$/.exec(current)
  if (value) return valuesOf(schemaAt([...pathOf(lines), value[1]!]))
  if (!/^\s*(?:- )*[\w-]*$/.test(current)) return []
  return fieldsOf(schemaAt(pathOf(lines)), siblingsOf(text, lines))
}

/** Returns the path of fields above the last line, by indentation; list items count as their list. */
function pathOf(lines: readonly string[]): string[] {
  const path: string[] = []
  let depth = depthOf(lines.at(-1) ?? '')
  for (const line of lines.slice(0, -1).toReversed()) {
    const field = /^(\s*(?:- )*)([\w-]+):/.exec(line)
    if (!field || line.trim() === '') continue
    const isParent = field[1]!.length < depth || (field[1]!.length === depth && isList(lines, line))
    if (!isParent) continue
    path.unshift(field[2]!)
    depth = /^\s*/.exec(line)![0].length === field[1]!.length ? field[1]!.length : /^\s*/.exec(line)![0].length
  }
  return path
}

/** Returns the column of the first word in a line, after the dashes of lists. */
const depthOf = (line: string): number => /^\s*(?:- )*/.exec(line)![0].length

/** Reports whether an item has the same indentation as its list: `- a` below `list:`. */
function isList(lines: readonly string[], line: string): boolean {
  const last = lines.at(-1) ?? ''
  return /^\s*- /.test(last) && /:\s*$/.test(line) && /^\s*/.exec(last)![0].length === /^\s*/.exec(line)![0].length
}

function schemaAt(path: readonly string[]): StructuralSchema | undefined {
  const [first, ...rest] = path
  if (first !== 'spec') return undefined
  return rest.reduce<StructuralSchema | undefined>(
    (schema, name) => itemsOf(schema?.properties?.[name]),
    propagationSpec as StructuralSchema,
  )
}

const itemsOf = (schema: StructuralSchema | undefined): StructuralSchema | undefined => schema?.items ?? schema

function fieldsOf(schema: StructuralSchema | undefined, known: ReadonlySet<string>): Completion[] {
  return Object.keys(schema?.properties ?? {})
    .filter((name) => !known.has(name))
    .map((label) => ({ label, isField: true }))
}

function valuesOf(schema: StructuralSchema | undefined): Completion[] {
  const values = schema?.type === 'boolean' ? ['true', 'false'] : (schema?.enum ?? [])
  return values.map((value) => ({ label: String(value), isField: false }))
}

/** Returns the fields that already exist at the same level. */
function siblingsOf(text: string, before: readonly string[]): Set<string> {
  const depth = depthOf(before.at(-1) ?? '')
  const lines = text.split('\n')
  const at = before.length - 1
  const known = new Set<string>()
  for (const step of [-1, 1]) {
    for (let index = at + step; index >= 0 && index < lines.length; index += step) {
      const line = lines[index]!
      if (line.trim() !== '' && depthOf(line) < depth) break
      const field = /^\s*(?:- )*([\w-]+):/.exec(line)
      if (field && depthOf(line) === depth) known.add(field[1]!)
      if (/^\s*- /.test(line) && depthOf(line) === depth) break
    }
  }
  return known
}
