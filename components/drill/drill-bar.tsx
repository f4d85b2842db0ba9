'use client'
import { usePathname } from 'next/navigation'
import { Suspense } from 'react'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { Link } from '../ui/link'
import { DRILL_STEPS } from './drill'
import { DrillAction } from './drill-action'
import { followDrill, useDrill, useDrillFollowed } from './use-drill'

/** The current step of the drill on the other pages, while this tab follows it. */
export function DrillBar() {
  const isFollowed = useDrillFollowed()
  if (usePathname() === '/overview' || !isFollowed) return null
  return (
    <Suspense fallback={null}>
      <AreaTexts area="drill">
        <Bar />
      </AreaTexts>
    </Suspense>
  )
}

function Bar() {
  const text = useText()
  const drill = useDrill()
  if (drill === undefined) return null
  const step = DRILL_STEPS[drill.done]
  return (
    <aside
      aria-label={text('drill.name')}
      data-testid="drill-bar"
      data-done={drill.done}
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-raised px-6 py-1.5 max-wide:px-4"
    >
      <Link href="/overview?drill=1" className="font-medium hover:underline">
        {text('drill.bar', { done: drill.done })}
      </Link>
      <span className="grow text-ink-2">
        {step === undefined ? text('drill.finished') : text(`drill.step.${step}`)}
      </span>
      {step !== undefined && <DrillAction drill={drill} step={step} />}
      <Button variant="quiet" onClick={() => followDrill(false)}>
        {text(step === undefined ? 'drill.close' : 'drill.leave')}
      </Button>
    </aside>
  )
}
