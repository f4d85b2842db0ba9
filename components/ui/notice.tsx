import type { ReactNode } from 'react'
import type { State } from '@/lib/view/model'
import { StateGlyph } from '../status/state-glyph'

interface NoticeProps {
  state: State
  children: ReactNode
  action?: ReactNode
  /** `alert` interrupts a screen reader; use it only for what the user just did. */
  role?: 'status' | 'alert'
}

/** A bar along an edge of the content, which stays usable. */
export function Notice({ state, children, action, role = 'status' }: NoticeProps) {
  return (
    <div role={role} className="flex min-h-8 shrink-0 gap-2 border-y border-line bg-sunken px-6 py-1.5">
      <span className="flex h-5 items-center">
        <StateGlyph state={state} />
      </span>
      <div className="min-w-0 grow self-center">{children}</div>
      {action}
    </div>
  )
}
