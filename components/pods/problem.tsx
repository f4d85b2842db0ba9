'use client'
import type { ReactNode } from 'react'
import { StateGlyph } from '../status/state-glyph'

/** Why something of a member cannot be shown. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="flex items-start gap-2" data-testid="member-problem">
      <span className="flex h-5 items-center">
        <StateGlyph state="fail" />
      </span>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}
