/** Checks that a configuration fits its type, before owners are compared. */
import { isFields } from '@/lib/std/fields'
import { goSyntax, goText, goTypeOf } from '../go-text'
import {
  definite,
  type FieldType,
  fieldType,
  itemType,
  type ListType,
  type MapType,
  type ScalarType,
} from './field-type'
import { fieldElement, showElement } from './path-element'
import { elementOf, Unidentified } from './value'

/** The error as one text; undefined without errors. What is there, or is written as a whole, may name a key twice. */
export function findMismatches(value: unknown, type: FieldType, from?: 'whole'): string | undefined {
  const findings: string[] = []
  check(value, type, { path: '', findings, isWhole: from === 'whole' })
  if (findings.length === 0) return undefined
  return findings.length === 1 ? findings[0] : ['errors:', ...findings.map((finding) => `  ${finding}`)].join('\n')
}

interface Place {
  path: string
  findings: string[]
  isWhole: boolean
}

function check(value: unknown, type: FieldType, place: Place): void {
  if (value === null || value === undefined) return
  const own = definite(type, value)
  switch (own.form) {
    case 'scalar':
      return checkScalar(value, own, place)
    case 'list':
      return Array.isArray(value) ? checkItems(value, own, place) : report(place, `expected list, got ${plain(value)}`)
    case 'map':
      return isFields(value) ? checkFields(value, own, place) : report(place, `expected map, got ${plain(value)}`)
  }
}

const EXPECTED = {
  string: { what: 'expected string', show: (value: unknown) => `&value.valueUnstructured{Value:${goSyntax(value)}}` },
  number: { what: 'expected numeric (int or float)', show: goTypeOf },
  boolean: { what: 'expected boolean', show: plain },
  any: { what: 'expected any scalar', show: plain },
} as const

function checkScalar(value: unknown, { scalar }: ScalarType, place: Place): void {
  const fits = scalar === 'any' ? typeof value !== 'object' : typeof value === scalar
  const { what, show } = EXPECTED[scalar]
  if (!fits) report(place, `${what}, got ${show(value)}`)
}

function checkItems(list: readonly unknown[], type: ListType, place: Place): void {
  const items = itemType(type)
  if (type.relation === 'atomic') {
    list.forEach((item, index) => check(item, items, below(place, `i:${index}`)))
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const element = elementOf(item, type)
    if (element instanceof Unidentified) return report(place, `element ${index}: ${element.why}`)
    if (seen.has(element) && !place.isWhole) report(place, `duplicate entries for key ${showElement(element)}`)
    seen.add(element)
    check(item, items, below(place, element))
  }
}

function checkFields(value: Readonly<Record<string, unknown>>, type: MapType, place: Place): void {
  for (const [name, child] of Object.entries(value)) {
    const inner = below(place, fieldElement(name))
    const own = fieldType(type, name)
    if (own) check(child, own, inner)
    else report(inner, 'field not declared in schema')
  }
}

function below({ path, ...rest }: Place, element: string): Place {
  return { ...rest, path: path + showElement(element) }
}

function report({ path, findings }: Place, finding: string): void {
  findings.push(path === '' ? finding : `${path}: ${finding}`)
}

/** A value as Go prints one that it reads through a pointer. */
function plain(value: unknown): string {
  return `&{${goText(value)}}`
}
