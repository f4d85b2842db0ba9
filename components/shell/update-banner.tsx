'use client'
import { useEffect } from 'react'
import { useIsOutdated } from '../hooks/page-build'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { useAnnounce } from './announcer'

/** Shown once the server was updated while the page is open. It reloads only when asked, for a form may be filled in. */
export function UpdateBanner() {
  const text = useText()
  const announce = useAnnounce()
  const isOutdated = useIsOutdated()
  useEffect(() => {
    if (isOutdated) announce(text('shell.update'))
  }, [announce, isOutdated, text])
  if (!isOutdated) return null
  return (
    <aside
      aria-label={text('shell.update.label')}
      data-testid="update-banner"
      data-chrome
      className="flex min-h-8 shrink-0 items-center gap-2 border-b border-line bg-sunken px-6 py-1 max-wide:px-4"
    >
      <p className="min-w-0 grow">{text('shell.update')}</p>
      <Button small onClick={() => window.location.reload()}>
        {text('shell.update.reload')}
      </Button>
    </aside>
  )
}
