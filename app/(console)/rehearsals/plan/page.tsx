'use client'
import { AreaTexts } from '@/components/messages/area-texts'
import { RecordedPlan } from '@/components/rebalancers/recorded-plan'
import { RecordedPlanPage } from '@/components/rehearsals/recorded-page'

export default function Page() {
  return (
    <AreaTexts area="rehearsals">
      <RecordedPlanPage>{(run, loadNote) => <RecordedPlan run={run} loadNote={loadNote} />}</RecordedPlanPage>
    </AreaTexts>
  )
}
