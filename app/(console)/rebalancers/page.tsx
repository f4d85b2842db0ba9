import { RebalancersPage } from '@/components/rebalancers/rebalancers-page'

export default function Page() {
  return <RebalancersPage />
}
