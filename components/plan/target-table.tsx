'use client'
import { type ReactNode, useMemo } from 'react'
import type { Text } from '@/lib/messages'
import { type Message, message } from '@/lib/messages/message'
import { replicasIn } from '@/lib/view/distribution'
import type { StateView, WorkloadRef } from '@/lib/view/model'
import { nameOf } from '@/lib/view/workload-id'
import type { Sorts } from '../hooks/sorting'
import { useLocalSorting } from '../hooks/use-sorting'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { type Step, StepTrack } from '../status/step-track'
import { WorkloadName } from '../status/workload-name'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { Places, type PlacesProps } from './places'

/** A workload of the table. */
interface Target {
  id: string
  ref: WorkloadRef
}

/** A column besides the name. */
export interface TargetColumn<T> {
  /** Its code names the column in the order of rows. */
  head: Message
  /** Explains the head. */
  title?: Message
  /** Figures are aligned right. */
  figure?: boolean
  className?: string
  cell: (target: T, text: Text) => ReactNode
  /** Sorts the table by this column. */
  sortBy?: (target: T, text: Text) => string | number | undefined
}

interface TargetTableProps<T> {
  label: string
  testId?: string
  targets: readonly T[]
  columns: readonly TargetColumn<T>[]
  /** What a row carries for tests. */
  dataOf: (target: T) => Record<`data-${string}`, string | number>
}

/** A table with a row for each workload. */
export function TargetTable<T extends Target>({ label, testId, targets, columns, dataOf }: TargetTableProps<T>) {
  const text = useText()
  const sorts = useMemo(() => sortsOf(columns, text), [columns, text])
  const { rows, head } = useLocalSorting(targets, sorts)
  return (
    <InsetTable
      pinLast
      aria-label={label}
      aria-rowcount={rows.length + 1}
      data-testid={testId}
      className="min-w-[60rem]"
    >
      <thead>
        <tr>
          <Th className="pl-0" sort={head(NAME)}>
            {text('plan.column.workload')}
          </Th>
          {columns.map(({ head: name, title, figure = false, sortBy }) => (
            <Th
              key={name.code}
              figure={figure}
              title={title && text.of(title)}
              {...(sortBy && { sort: head(name.code) })}
            >
              {text.of(name)}
            </Th>
          ))}
        </tr>
      </thead>
      <VirtualBody
        items={rows}
        columns={columns.length + 1}
        render={(target) => (
          <tr key={target.id} className="align-top" data-workload={target.id} {...dataOf(target)}>
            <Td className="py-1 pl-0 whitespace-nowrap">
              <WorkloadName id={target.id} workload={target.ref} />
            </Td>
            {columns.map(({ head: { code }, figure = false, className = '', cell }) => (
              <Td key={code} figure={figure} className={`py-1 ${className}`}>
                {cell(target, text)}
              </Td>
            ))}
          </tr>
        )}
      />
    </InsetTable>
  )
}

function sortsOf<T extends Target>(columns: readonly TargetColumn<T>[], text: Text): Sorts<T> {
  const named = columns.flatMap(({ head: { code }, sortBy }) =>
    sortBy ? [[code, (target: T) => sortBy(target, text)] as const] : [],
  )
  return { [NAME]: ({ ref }) => nameOf(ref), ...Object.fromEntries(named) }
}

const NAME = 'name'

/** Replicas by cluster, before and after. */
export function placesColumn<T>(placesOf: (target: T) => PlacesProps): TargetColumn<T> {
  return {
    head: message('plan.column.places'),
    sortBy: (target, text) => placesText(placesOf(target), text),
    cell: (target) => <Places {...placesOf(target)} />,
  }
}

/** The text by which places are sorted. */
export function placesText({ before, after }: PlacesProps, text: Text): string | undefined {
  const places = after ?? before
  return places && text.of(replicasIn(places))
}

/** Replicas that run in another cluster than before. */
export const movedColumn: TargetColumn<{ moved?: number | undefined }> = {
  head: message('plan.column.moved'),
  figure: true,
  cell: ({ moved }) => moved ?? '—',
  sortBy: ({ moved }) => moved,
}

/** The stages that a workload has reached; the head names all of them. */
export function stepsColumn<T>(head: Message, trackOf: (target: T, text: Text) => TrackView): TargetColumn<T> {
  return {
    head,
    sortBy: (target, text) => trackOf(target, text).at,
    cell: (target, text) => {
      const { word, steps } = trackOf(target, text)
      return <StepTrack label={text('plan.stageIs', { stage: word })} steps={steps} />
    },
  }
}

interface TrackView {
  /** Position of the stage among the steps; -1 for none of them. */
  at: number
  word: string
  steps: readonly Step[]
}

/** The mark with its word, and the reason below. */
export function stateColumn<T extends { state: StateView }>(
  head: Message,
  wordOf: (target: T, text: Text) => string,
): TargetColumn<T> {
  return {
    head,
    className: 'min-w-48',
    sortBy: wordOf,
    cell: (target, text) => (
      <>
        <StateMark state={target.state.state} word={wordOf(target, text)} className="font-medium" />
        <Reason state={target.state} />
      </>
    ),
  }
}

function Reason({ state }: { state: StateView }) {
  const text = useText()
  return <p className="text-ink-2">{text.of(state.reason)}</p>
}
