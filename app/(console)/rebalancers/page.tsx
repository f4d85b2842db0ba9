import { AreaTexts } from '@/components/messages/area-texts'
import { RebalancersPage } from '@/components/rebalancers/rebalancers-page'

export default function Page() {
  return (
    <AreaTexts area="plan">
      <RebalancersPage />
    </AreaTexts>
  )
}
