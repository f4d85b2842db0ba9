'use client'
import { clsx } from 'clsx'
import type { DiffLine } from '@/lib/view/lab/diff'
import { useText } from '../messages/use-text'

/** Unchanged lines around a change that are shown. */
const AROUND = 3
const MARKS = { same: ' ', added: '+', removed: '−' } as const

/** Lines that differ, with their sign, and some lines around them. */
export function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  const text = useText()
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same')
  const shown = lines.flatMap((line, at) => (isNear(at) ? [{ ...line, at }] : []))
  if (shown.length === 0) return <p className="text-ink-2">{text('policies.save.noChanges')}</p>
  return (
    <pre className="overflow-x-auto rounded-control border border-line py-1 mono" data-testid="policy-diff">
      {shown.map(({ kind, text: words, at }) => (
        <span
          key={at}
          className={clsx(
            'block px-2',
            kind === 'added' && 'bg-chosen',
            kind === 'removed' && 'bg-sunken line-through',
          )}
        >
          <span aria-hidden="true" className="mr-2 select-none">
            {MARKS[kind]}
          </span>
          {kind !== 'same' && <span className="sr-only">{text(`policies.save.${kind}`)} </span>}
          {words}
        </span>
      ))}
    </pre>
  )
}
