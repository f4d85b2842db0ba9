import type { ReactNode } from 'react'
import type { State } from '@/lib/view/model'

/** One shape per state, so that the state survives without colour. Drawn in a 12 × 12 box. */
const SHAPES: Record<State, ReactNode> = {
  ok: <circle cx="6" cy="6" r="3.25" className="fill-ok" />,
  active: (
    <>
      <circle cx="6" cy="6" r="4.75" fill="none" strokeWidth="1.5" className="stroke-active" />
      <path d="M6 1.25a4.75 4.75 0 0 1 0 9.5z" className="fill-active" />
    </>
  ),
  warn: <path d="M6 1.2 11.3 10.6H.7z" className="fill-warn" strokeLinejoin="round" />,
  fail: (
    <>
      <rect x="0.75" y="0.75" width="10.5" height="10.5" rx="1.5" className="fill-fail" />
      <path d="m3.7 3.7 4.6 4.6m0-4.6-4.6 4.6" strokeWidth="1.6" strokeLinecap="round" className="stroke-paper" />
    </>
  ),
  held: <path d="M2.5 1.5h2.4v9H2.5zM7.1 1.5h2.4v9H7.1z" className="fill-held" />,
  unknown: (
    <circle cx="6" cy="6" r="4.5" fill="none" strokeWidth="1.5" strokeDasharray="2.4 2" className="stroke-ink-2" />
  ),
}

/** The shape of a state. Decorative: the word or the sentence beside it carries the meaning. */
export function StateGlyph({ state, size = 12 }: { state: State; size?: number }) {
  return (
    <svg
      data-glyph={state}
      viewBox="0 0 12 12"
      width={size}
      height={size}
      aria-hidden="true"
      className="inline-block shrink-0"
    >
      {SHAPES[state]}
    </svg>
  )
}
