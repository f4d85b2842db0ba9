'use client'
import { clsx } from 'clsx'
import { useEffect, useId } from 'react'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { type Drill, DRILL_STEPS, type DrillStep } from './drill'
import { DrillAction } from './drill-action'
import { followDrill, useDrill } from './use-drill'

/** Shows the four steps of the drill, each with its button; later steps name the step that must come first. */
export function DrillSteps({ onLeave }: { onLeave: () => void }) {
  return (
    <AreaTexts area="drill">
      <Steps onLeave={onLeave} />
    </AreaTexts>
  )
}

function Steps({ onLeave }: { onLeave: () => void }) {
  const text = useText()
  const heading = useId()
  const drill = useDrill()
  useEffect(() => followDrill(true), [])
  if (drill === undefined) return null
  const leave = () => {
    followDrill(false)
    onLeave()
  }
  return (
    <section
      aria-labelledby={heading}
      data-testid="drill"
      data-done={drill.done}
      className="border-b border-line px-6 py-4 max-wide:px-4"
    >
      <h2 id={heading} className="text-[20px] leading-[28px] font-semibold tracking-[-0.01em]">
        {text(drill.done === 4 ? 'drill.finished' : 'drill.title')}
      </h2>
      <p className="text-ink-2">{text('drill.intro')}</p>
      <ol className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-3">
        {DRILL_STEPS.map((step, index) => (
          <Step key={step} step={step} index={index} drill={drill} />
        ))}
      </ol>
      <p className="mt-3 flex flex-wrap items-center gap-3 text-ink-2">
        <progress
          value={drill.done}
          max={4}
          aria-label={text('drill.title')}
          className="h-1.5 w-40 [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-amount-6"
        />
        {text('drill.progress', { done: drill.done })}
        <Button variant="quiet" className="ml-auto" onClick={leave}>
          {text(drill.done === 4 ? 'drill.close' : 'drill.leave')}
        </Button>
      </p>
    </section>
  )
}

function Step({ step, index, drill }: { step: DrillStep; index: number; drill: Drill }) {
  const text = useText()
  const isDone = index < drill.done
  const isNow = index === drill.done
  return (
    <li
      data-step={step}
      data-now={isNow}
      aria-current={isNow ? 'step' : undefined}
      className={clsx('flex flex-col gap-2 rounded-panel border p-3', isNow ? 'border-ink' : 'border-line')}
    >
      <h3 className="flex items-center gap-2 text-section">
        <span
          className={clsx(
            'flex size-6 items-center justify-center rounded-full text-label',
            isNow ? 'bg-ink text-paper' : 'bg-sunken',
          )}
        >
          {isDone ? <StateGlyph state="ok" /> : index + 1}
        </span>
        {text(`drill.step.${step}`)}
      </h3>
      <p className="grow text-ink-2">{text(`drill.meaning.${step}`, { cluster: drill.cluster })}</p>
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        {isNow && <DrillAction drill={drill} step={step} />}
        {isDone && <span className="text-ink-2">{text('drill.done')}</span>}
        {!isNow && !isDone && <span className="text-ink-2">{text('drill.notYet', { n: index })}</span>}
      </div>
    </li>
  )
}
