/** The columns of `kubectl get`, kind by kind. */
import { compileJsonPath } from '@/lib/kube/jsonpath'
import type { PrinterColumn } from '@/lib/kube/kind'
import { canonicalText } from '@/lib/std/canonical'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'
import type { Resource } from '../registry/resource'
import { ageOf } from './age'
import { builtinColumns } from './columns/builtin'
import { age, type Column, createdAt } from './columns/column'
import { ownDescriptions, sharedDescriptions } from './columns/descriptions'
import published from './columns/published.json' with { type: 'json' }

const known = new WeakMap<Resource, readonly Column[]>()

/** The columns of a kind: computed ones of built-in kinds, else the printer columns of its definition. */
export function columnsOf(resource: Resource): readonly Column[] {
  const remembered = known.get(resource)
  if (remembered) return remembered
  const own = ownField(builtinColumns, resource.id) ?? declaredColumns(resource)
  const columns = own.some(({ format }) => format === 'name') ? own : [nameColumn, ...own]
  const texts = ownField(published as Readonly<Record<string, Readonly<Record<string, string>>>>, resource.id)
  const described = columns.map((column) => {
    const text = ownField(texts ?? {}, column.name)
    const known = { description: descriptionOf(resource, column), ...column }
    return text === undefined ? known : { ...known, description: text }
  })
  known.set(resource, described)
  return described
}

function descriptionOf(resource: Resource, { name }: Column): string {
  return ownField(ownField(ownDescriptions, resource.id) ?? {}, name) ?? ownField(sharedDescriptions, name) ?? ''
}

const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', cell: (object) => object.metadata.name }

/** A kind without declared columns gets its age. */
function declaredColumns({ kind, custom }: Resource): Column[] {
  if (kind.printerColumns.length === 0) return [custom ? { ...age, type: 'date' } : createdAt]
  if (custom) return kind.printerColumns.map(declaredColumn)
  // Aggregated APIs compute their columns: none is a date, and each has a text of its own.
  return kind.printerColumns.map((column) => {
    const { description: _, ...declared } = declaredColumn(column)
    return column.type === 'date' ? { ...declared, type: 'string' } : declared
  })
}

function declaredColumn({ name, type, jsonPath, priority = 0, description }: PrinterColumn): Column {
  const select = compileJsonPath(jsonPath)
  return {
    name,
    type,
    priority,
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    cell: (object, now) => declaredCell(type, select(object), now),
  }
}

function declaredCell(type: PrinterColumn['type'], values: unknown[], now: EpochMs): unknown {
  const [value] = values
  // A null is a value that Go cannot print.
  if (value === null && type === 'string') return '<no value>'
  if (value === undefined || value === null) return null
  switch (type) {
    case 'date':
      return typeof value === 'string' ? ageOf(parseTime(value), now) : '<unknown>'
    case 'string':
      return typeof value === 'object' ? canonicalText(value) : values.map(String).join(',')
    default:
      return typeof value === type || (type === 'integer' && typeof value === 'number') ? value : null
  }
}
