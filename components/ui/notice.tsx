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

/** A bar over the content: the page below it is still usable. */
export function Notice({ state, children, action, role = 'status' }: NoticeProps) {
  return (
    <div role={role} className="flex min-h-8 shrink-0 gap-2 border-b border-line bg-sunken px-6 py-1.5">
      <span className="flex h-5 items-center">
        <StateGlyph state={state} />
      </span>
      <div className="min-w-0 grow">{children}</div>
      {action}
    </div>
  )
}
