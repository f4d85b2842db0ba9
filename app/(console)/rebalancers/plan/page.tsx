import { PlanRunPage } from '@/components/rebalancers/plan-run-page'

export default function Page() {
  return <PlanRunPage />
}
