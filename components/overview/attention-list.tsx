'use client'
import { useId } from 'react'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'
import { DrillOffer } from './drill-offer'
import type { Attention } from './attention'

/** Entries that are shown at once; the others are counted. */
const MOST = 8

/** What needs a person, the worst first, each with its action. Keeps its order while it is pointed at. */
export function AttentionList({ items, offer }: { items: readonly Attention[]; offer: boolean }) {
  const text = useText()
  const heading = useId()
  const { attended, regionProps } = useCalm()
  const held = useHeldRows(items, '', attended)
  const { gone } = held
  // New items are never held: they are appended below the held rows.
  const shown = new Set(held.rows.map(({ id }) => id))
  const rows = [...held.rows, ...items.filter(({ id }) => !shown.has(id))]
  return (
    <section
      aria-labelledby={heading}
      className="border-line px-6 py-3 max-wide:px-4 max-wide:not-first:border-t wide:col-start-2 wide:row-span-3 wide:row-start-1 wide:border-l"
      data-testid="attention"
      data-count={items.length}
    >
      <h2 id={heading} className="flex items-center gap-2 text-section">
        {text('overview.attention.title')}
        {items.length > 0 && (
          <span className="rounded-full bg-sunken px-2 text-label">{text.format.count(items.length)}</span>
        )}
      </h2>
      {rows.length === 0 && <p className="py-2 text-ink-2">{text('overview.attention.none')}</p>}
      <ul {...regionProps}>
        {rows.slice(0, MOST).map((item) => (
          <Item key={item.id} item={item} gone={gone.has(item.id)} />
        ))}
      </ul>
      {rows.length > MOST && <p className="pt-2 text-ink-2">{text('overview.more', { n: rows.length - MOST })}</p>}
      {offer && <DrillOffer />}
    </section>
  )
}

function Item({ item: { id, state, title, detail, action }, gone }: { item: Attention; gone: boolean }) {
  const text = useText()
  const label = useId()
  return (
    <li
      data-testid="attention-item"
      data-about={id}
      data-state={state}
      className={`flex items-start gap-2.5 border-b border-line py-2.5 last:border-b-0 ${gone ? 'line-through opacity-60' : ''}`}
    >
      <span className="mt-1 flex">
        <StateGlyph state={state} />
      </span>
      <div className="min-w-0 grow">
        <p id={label} className="font-medium break-words">
          {text.of(title)}
        </p>
        {detail !== undefined && <p className="line-clamp-3 break-words text-ink-2">{text.of(detail)}</p>}
      </div>
      <Link
        href={action.href}
        aria-describedby={label}
        className={`shrink-0 max-wide:h-11 ${buttonClass(action.first ? 'primary' : 'secondary')}`}
      >
        {text(action.label)}
      </Link>
    </li>
  )
}
