import { RebalancerPage } from '@/components/rebalancers/rebalancer-page'

export default function Page() {
  return <RebalancerPage />
}
