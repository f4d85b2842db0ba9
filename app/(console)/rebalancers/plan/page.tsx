import { AreaTexts } from '@/components/messages/area-texts'
import { PlanRunPage } from '@/components/rebalancers/plan-run-page'

export default function Page() {
  return (
    <AreaTexts area="plan">
      <PlanRunPage />
    </AreaTexts>
  )
}
