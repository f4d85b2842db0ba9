'use client'
import type { RehearsalRecordingView } from '@/lib/view/rehearsal-model'
import { PlanParts, StateSentence } from './plan-parts'
import { RecordedReadyChart } from './ready-chart'

interface RecordedPlanProps {
  run: RehearsalRecordingView['plans'][number]
  /** Says where the load of the clusters is shown. */
  loadNote: string
}

/** A plan whose whole record is known, without actions. */
export function RecordedPlan({ run: { plan, record }, loadNote }: RecordedPlanProps) {
  return (
    <>
      <div className="px-4 pt-3">
        <StateSentence plan={plan} isRecorded />
      </div>
      <PlanParts
        plan={plan}
        load={{ refused: loadNote }}
        chart={record && <RecordedReadyChart plan={plan} record={record} />}
      />
    </>
  )
}
