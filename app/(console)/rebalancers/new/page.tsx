import { NewPlanPage } from '@/components/rebalancers/new-plan-page'

export default function Page() {
  return <NewPlanPage />
}
