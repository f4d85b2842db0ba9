import { AreaTexts } from '@/components/messages/area-texts'
import { NewPlanPage } from '@/components/rebalancers/new-plan-page'

export default function Page() {
  return (
    <AreaTexts area="plan">
      <NewPlanPage />
    </AreaTexts>
  )
}
