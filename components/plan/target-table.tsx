'use client'
import { type ReactNode, useMemo } from 'react'
import { formatReplicas } from '@/lib/format'
import type { StateView, WorkloadRef } from '@/lib/view/model'
import { nameOf } from '../hooks/filter'
import type { Sorts } from '../hooks/sorting'
import { useLocalSorting } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { type Step, StepTrack } from '../status/step-track'
import { WorkloadName } from '../status/workload-name'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Places, type PlacesProps } from './places'

/** A workload that something happens to. */
interface Target {
  id: string
  ref: WorkloadRef
}

/** What a table says of each workload besides its name. */
export interface TargetColumn<T> {
  head: string
  /** What the head means, where that is not plain. */
  title?: string
  /** Figures stand at the right. */
  figure?: boolean
  className?: string
  cell: (target: T) => ReactNode
  /** Sorts the table by this column. */
  sortBy?: (target: T) => string | number | undefined
}

interface TargetTableProps<T> {
  label: string
  testId?: string
  targets: readonly T[]
  columns: readonly TargetColumn<T>[]
  /** What a row carries for tests. */
  dataOf: (target: T) => Record<`data-${string}`, string | number>
}

/** Workload by workload: what happens to it, or did, or would. */
export function TargetTable<T extends Target>({ label, testId, targets, columns, dataOf }: TargetTableProps<T>) {
  const sorts = useMemo(() => sortsOf(columns), [columns])
  const { rows, head } = useLocalSorting(targets, sorts)
  return (
    <InsetTable pinLast aria-label={label} data-testid={testId} className="min-w-[60rem]">
      <thead>
        <tr>
          <Th className="pl-0" sort={head(NAME)}>{NAME}</Th>
          {columns.map(({ head: words, title, figure = false, sortBy }) => (
            <Th key={words} figure={figure} title={title} {...(sortBy && { sort: head(words) })}>
              {words}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((target) => (
          <tr key={target.id} className="align-top" data-workload={target.id} {...dataOf(target)}>
            <Td className="py-1 pl-0 whitespace-nowrap">
              <WorkloadName id={target.id} workload={target.ref} />
            </Td>
            {columns.map(({ head, figure = false, className = '', cell }) => (
              <Td key={head} figure={figure} className={`py-1 ${className}`}>
                {cell(target)}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}

/** By what the columns say they sort by, and by name. */
function sortsOf<T extends Target>(columns: readonly TargetColumn<T>[]): Sorts<T> {
  const named = columns.flatMap(({ head, sortBy }) => (sortBy ? [[head, sortBy] as const] : []))
  return { [NAME]: ({ ref }) => nameOf(ref), ...Object.fromEntries(named) }
}

const NAME = 'Workload'

/** Where it was and where it is or goes. */
export function placesColumn<T>(placesOf: (target: T) => PlacesProps): TargetColumn<T> {
  return {
    head: 'Before → after', sortBy: (target) => placesText(placesOf(target)),
    cell: (target) => <Places {...placesOf(target)} />,
  }
}

/** What places are sorted by: where it goes, or is. */
export function placesText({ before, after }: PlacesProps): string | undefined {
  const places = after ?? before
  return places && formatReplicas(places)
}

/** How many replicas are elsewhere than before. */
export const movedColumn: TargetColumn<{ moved?: number | undefined }> = {
  head: 'Moved', figure: true, cell: ({ moved }) => moved ?? '—', sortBy: ({ moved }) => moved,
}

/** How far it is on its way; the head names the steps. */
export function stepsColumn<T>(names: readonly string[], trackOf: (target: T) => TrackView): TargetColumn<T> {
  return {
    head: names.join(' → '),
    sortBy: (target) => names.indexOf(trackOf(target).word),
    cell: (target) => {
      const { word, steps } = trackOf(target)
      return <StepTrack label={`Stage: ${word}`} steps={steps} />
    },
  }
}

interface TrackView {
  /** The stage in words. */
  word: string
  steps: readonly Step[]
}

/** The mark with its word, and the sentence below. */
export function stateColumn<T extends { state: StateView }>(
  head: string,
  wordOf: (target: T) => string,
): TargetColumn<T> {
  return {
    head,
    className: 'min-w-48',
    sortBy: wordOf,
    cell: (target) => (
      <>
        <StateMark state={target.state.state} word={wordOf(target)} className="font-medium" />
        <Reason state={target.state} />
      </>
    ),
  }
}

function Reason({ state }: { state: StateView }) {
  const text = useText()
  return <p className="text-ink-2">{text.of(state.reason)}</p>
}
