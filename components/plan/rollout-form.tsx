'use client'
import type { Rollout } from '@/lib/view/actions'
import { Choice } from '../ui/choice'
import { LabelledCheckbox } from '../ui/checkbox'
import { useText } from '../messages/use-text'
import { type RolloutOption, PAUSES, READY_SHARES, WAVE_SIZES } from './rollout'

interface RolloutFormProps {
  rollout: Rollout
  onChange: (rollout: Rollout) => void
}

/** Wave size, minimum of ready replicas, pause, and what happens on a regression. */
export function RolloutForm({ rollout, onChange }: RolloutFormProps) {
  const text = useText()
  const inWords = (options: readonly RolloutOption[]) =>
    options.map(({ value, label }) => ({ value, label: text.of(label) }))
  const set = (changes: Partial<Rollout>) => onChange({ ...rollout, ...changes })
  return (
    <div className="flex flex-col gap-2" data-testid="rollout">
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Choice
          label={text('plan.form.waveSize')}
          value={String(rollout.waveSize)}
          options={inWords(WAVE_SIZES)}
          onChange={(value) => set({ waveSize: value.endsWith('%') ? value : Number(value) })}
        />
        <Choice
          label={text('plan.form.minReady')}
          value={String(rollout.minReady)}
          options={inWords(READY_SHARES)}
          onChange={(minReady) => set({ minReady })}
        />
        <Choice
          label={text('plan.form.pause')}
          value={String(rollout.soakSeconds)}
          options={inWords(PAUSES)}
          onChange={(value) => set({ soakSeconds: Number(value) })}
        />
      </div>
      <div className="-ml-1 flex flex-wrap gap-x-4">
        <LabelledCheckbox
          label={text('plan.form.makeBeforeBreak')}
          checked={rollout.makeBeforeBreak}
          onCheckedChange={(makeBeforeBreak) => set({ makeBeforeBreak })}
        />
        <LabelledCheckbox
          label={text('plan.form.onRegression')}
          checked={rollout.onRegression === 'Hold'}
          onCheckedChange={(hold) => set({ onRegression: hold ? 'Hold' : 'Continue' })}
        />
        <LabelledCheckbox
          label={text('plan.form.allowFewerReplicas')}
          checked={rollout.allowFewerReplicas}
          onCheckedChange={(allowFewerReplicas) => set({ allowFewerReplicas })}
        />
      </div>
    </div>
  )
}

interface WayChoiceProps {
  inWaves: boolean
  onChange: (inWaves: boolean) => void
}

/** A RebalancePlan that moves workloads in waves, or a WorkloadRebalancer that moves all of them at once. */
export function WayChoice({ inWaves, onChange }: WayChoiceProps) {
  const text = useText()
  const ways = [
    { value: true, label: text('plan.form.inWaves'), hint: text('plan.form.inWavesHint') },
    { value: false, label: text('plan.form.atOnce'), hint: text('plan.form.atOnceHint') },
  ]
  return (
    <fieldset className="mb-3">
      <legend className="text-label text-ink-2">{text('plan.form.how')}</legend>
      {ways.map(({ value, label, hint }) => (
        <label key={label} className="flex min-h-6 cursor-pointer flex-wrap items-center gap-x-2">
          <input
            type="radio"
            name="way"
            value={value ? 'waves' : 'once'}
            checked={inWaves === value}
            onChange={() => onChange(value)}
            className="shrink-0 accent-ink"
          />
          <span className="font-medium">{label}</span>
          <span className="text-ink-2 max-wide:w-full max-wide:pl-5">{hint}</span>
        </label>
      ))}
    </fieldset>
  )
}
