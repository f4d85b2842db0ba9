'use client'
import type { Manner } from '@/lib/view/actions'
import { Choice } from '../ui/choice'
import { LabelledCheckbox } from '../ui/checkbox'
import { READY_SHARES, RESTS, WAVE_SIZES } from './manner'

interface MannerFormProps {
  manner: Manner
  onChange: (manner: Manner) => void
}

/** How a run goes about it. */
export function MannerForm({ manner, onChange }: MannerFormProps) {
  const set = (changes: Partial<Manner>) => onChange({ ...manner, ...changes })
  return (
    <div className="flex flex-col gap-2" data-testid="manner">
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Choice
          label="Workloads of one wave"
          value={String(manner.waveSize)}
          options={WAVE_SIZES}
          onChange={(value) => set({ waveSize: value.endsWith('%') ? value : Number(value) })}
        />
        <Choice
          label="Stay ready in each workload"
          value={String(manner.minReady)}
          options={READY_SHARES}
          onChange={(minReady) => set({ minReady })}
        />
        <Choice
          label="Rest between waves"
          value={String(manner.soakSeconds)}
          options={RESTS}
          onChange={(value) => set({ soakSeconds: Number(value) })}
        />
      </div>
      <div className="-ml-1 flex flex-wrap gap-x-4">
        <LabelledCheckbox
          label="Keep old copies until the new ones are ready"
          checked={manner.makeBeforeBreak}
          onCheckedChange={(checked) => set({ makeBeforeBreak: checked === true })}
        />
        <LabelledCheckbox
          label="Stop at the first regression"
          checked={manner.onRegression === 'Hold'}
          onCheckedChange={(checked) => set({ onRegression: checked === true ? 'Hold' : 'Continue' })}
        />
        <LabelledCheckbox
          label="Also move what would lose replicas"
          checked={manner.allowFewerReplicas}
          onCheckedChange={(checked) => set({ allowFewerReplicas: checked === true })}
        />
      </div>
    </div>
  )
}

interface WayChoiceProps {
  inWaves: boolean
  onChange: (inWaves: boolean) => void
}

/** In waves that wait for health, or everything at once as a plain WorkloadRebalancer does. */
export function WayChoice({ inWaves, onChange }: WayChoiceProps) {
  const ways = [
    {
      value: true,
      label: 'In waves, without an outage',
      hint: 'a RebalancePlan: stops by itself, can be paused and undone',
    },
    {
      value: false,
      label: 'All at once',
      hint: 'a WorkloadRebalancer: a copy that leaves does not wait for its replacement',
    },
  ]
  return (
    <fieldset className="mb-3">
      <legend className="text-label text-ink-2">How</legend>
      {ways.map(({ value, label, hint }) => (
        <label key={label} className="flex min-h-6 cursor-pointer flex-wrap items-center gap-x-2">
          <input
            type="radio"
            name="way"
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
