import type { UnknownObject } from '@/lib/kube/object'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { ageOf } from '../age'
import { at, joined, selectorText } from './reading'

/** A column of a table. */
export interface Column {
  name: string
  type: string
  format?: string
  description?: string
  /** Larger than 0 is shown with `-o wide` only. */
  priority?: number
  cell(object: UnknownObject, now: EpochMs): unknown
}

export type Cell = Column['cell']

export const textColumn = (name: string, cell: Cell, priority = 0): Column => ({ name, type: 'string', priority, cell })
export const numberColumn = (name: string, cell: Cell): Column => ({ name, type: 'integer', priority: 0, cell })
export const flagColumn = (name: string, cell: Cell): Column => ({ name, type: 'boolean', priority: 0, cell })

export const age = textColumn('Age', (object, now) => ageOf(parseTime(object.metadata.creationTimestamp), now))

/** The default column of built-in kinds. */
export const createdAt: Column = {
  name: 'Created At',
  type: 'date',
  priority: 0,
  cell: ({ metadata }) => metadata.creationTimestamp ?? NO_TIME,
}

const NO_TIME = '0001-01-01T00:00:00Z'

/** The columns about the containers of a template, shown with `-o wide`. */
export function containerColumns(template: string): Column[] {
  const list =
    (field: string): Cell =>
    (object) =>
      joined(at(object, `${template}.spec.containers`), field)
  return [textColumn('Containers', list('name'), 1), textColumn('Images', list('image'), 1)]
}

/** The selector at a path, shown with `-o wide`. */
export function selectorColumn(path: string, absent?: string): Column {
  return textColumn('Selector', (object) => selectorText(at(object, path), absent), 1)
}
