'use client'
import { useMemo } from 'react'
import { rehearsalLanes } from '@/lib/view/rehearsal/lanes'
import type { RehearsalResultView } from '@/lib/view/rehearsal-model'
import { useText } from '../messages/use-text'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'

/** The picture as a table: each cluster with what it had, and when it had the least. */
export function CourseTable({ durationMs, course }: { durationMs: number; course: RehearsalResultView['course'] }) {
  const text = useText()
  const lanes = useMemo(() => rehearsalLanes(course, durationMs), [course, durationMs])
  return (
    <InsetTable aria-label={text('rehearsals.picture.label')} data-testid="course-table">
      <thead>
        <tr>
          <Th className="pl-0">{text('rehearsals.table.cluster')}</Th>
          <Th figure>{text('rehearsals.table.first')}</Th>
          <Th figure>{text('rehearsals.table.lowest')}</Th>
          <Th figure>{text('rehearsals.table.lowestAt')}</Th>
          <Th figure>{text('rehearsals.table.last')}</Th>
          <Th figure>{text('rehearsals.table.away')}</Th>
        </tr>
      </thead>
      <tbody>
        {lanes.map(({ cluster, first, lowest, last, awayMs }) => (
          <tr key={cluster} data-cluster={cluster} data-lowest={lowest.ready} data-away={awayMs}>
            <Td className="max-w-64 truncate pl-0 font-medium" title={cluster}>
              {cluster}
            </Td>
            <Td figure>{text.format.count(first)}</Td>
            <Td figure>{text.format.count(lowest.ready)}</Td>
            <Td figure>{text.format.duration(lowest.atMs)}</Td>
            <Td figure>{text.format.count(last)}</Td>
            <Td figure>{awayMs > 0 ? text.format.duration(awayMs) : '—'}</Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}

/** What was done, and when. */
export function StepTable({ steps }: Pick<RehearsalResultView, 'steps'>) {
  const text = useText()
  return (
    <InsetTable aria-label={text('rehearsals.table.steps')} data-testid="step-table">
      <thead>
        <tr>
          <Th className="pl-0">{text('rehearsals.table.time')}</Th>
          <Th>{text('rehearsals.table.step')}</Th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ step, atMs, message }) => (
          <tr key={step}>
            <Td className="pl-0 whitespace-nowrap">{text.format.duration(atMs)}</Td>
            <Td className="break-words">{text.of(message)}</Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
