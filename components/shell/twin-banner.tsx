'use client'
import { Suspense } from 'react'
import type { TwinMark } from '@/lib/view/login'
import { useSession } from '../login/use-session'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

/** Above every page of a copied control plane, so that no one takes it for the original. */
export function TwinBanner() {
  const { data: session } = useSession()
  if (session?.twin === undefined) return null
  return (
    <Suspense fallback={null}>
      <AreaTexts area="twin">
        <Banner twin={session.twin} />
      </AreaTexts>
    </Suspense>
  )
}

function Banner({ twin: { source, takenAt } }: { twin: TwinMark }) {
  const text = useText()
  return (
    <aside
      aria-label={text('twin.banner.label')}
      data-testid="twin-banner"
      data-chrome
      className="flex min-h-8 shrink-0 items-center gap-2 border-b-2 border-dashed border-ink-2 bg-sunken px-6 py-1.5 max-wide:px-4"
    >
      <span className="shrink-0 rounded-control border border-ink-2 px-1.5 text-label font-medium">
        {text('twin.banner.label')}
      </span>
      <p className="min-w-0 grow break-words">{text('twin.banner', { source, at: { moment: takenAt } })}</p>
      <Link href="/control-plane" className="link shrink-0">
        {text('twin.banner.link')}
      </Link>
    </aside>
  )
}
