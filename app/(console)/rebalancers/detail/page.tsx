import { AreaTexts } from '@/components/messages/area-texts'
import { RebalancerPage } from '@/components/rebalancers/rebalancer-page'

export default function Page() {
  return (
    <AreaTexts area="plan">
      <RebalancerPage />
    </AreaTexts>
  )
}
