import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'

/** On every page of a rehearsal, so that no one takes it for the fleet. */
export function RehearsalBanner({ children }: { children: ReactNode }) {
  const text = useText()
  return (
    <aside
      aria-label={text('rehearsals.mark')}
      data-testid="rehearsal-banner"
      className="flex min-h-8 shrink-0 items-start gap-2 border-b-2 border-dashed border-ink-2 bg-sunken px-6 py-1.5 max-wide:px-4"
    >
      <span className="shrink-0 rounded-control border border-ink-2 px-1.5 text-label font-medium">
        {text('rehearsals.mark')}
      </span>
      <p className="min-w-0 grow break-words">{children}</p>
    </aside>
  )
}
