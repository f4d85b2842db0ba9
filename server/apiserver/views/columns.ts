/** The columns of `kubectl get`, kind by kind. */
import { compileJsonPath } from '@/lib/kube/jsonpath'
import type { PrinterColumn } from '@/lib/kube/kind'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { Resource } from '../registry/resource'
import { ageOf } from './age'
import { builtinColumns } from './columns/builtin'
import type { Column } from './columns/column'

const known = new WeakMap<Resource, readonly Column[]>()

/** The columns of a kind: computed ones of built-in kinds, else the printer columns of its definition. */
export function columnsOf(resource: Resource): readonly Column[] {
  const remembered = known.get(resource)
  if (remembered) return remembered
  const columns = [nameColumn, ...(builtinColumns[resource.id] ?? declaredColumns(resource))]
  known.set(resource, columns)
  return columns
}

const nameColumn: Column = {
  name: 'Name', type: 'string', format: 'name', description: 'The name of the object, unique in its namespace.',
  cell: (object) => object.metadata.name,
}

/** A kind without declared columns gets its age. */
function declaredColumns(resource: Resource): Column[] {
  const { printerColumns } = resource.kind
  if (printerColumns.length > 0) return printerColumns.map(declaredColumn)
  const column = declaredColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
  return [resource.custom ? { ...column, type: 'date' } : column]
}

function declaredColumn({ name, type, jsonPath, priority = 0, description }: PrinterColumn): Column {
  const select = compileJsonPath(jsonPath)
  return {
    name, type, priority, description: description ?? `The value of ${jsonPath}`,
    cell: (object, now) => declaredCell(type, select(object), now),
  }
}

function declaredCell(type: PrinterColumn['type'], values: unknown[], now: EpochMs): unknown {
  const [value] = values
  if (value === undefined || value === null) return type === 'date' ? '<unknown>' : null
  switch (type) {
    case 'date': return typeof value === 'string' ? ageOf(parseTime(value), now) : '<unknown>'
    case 'string': return typeof value === 'object' ? JSON.stringify(value) : values.map(String).join(',')
    default: return typeof value === type || (type === 'integer' && typeof value === 'number') ? value : null
  }
}
