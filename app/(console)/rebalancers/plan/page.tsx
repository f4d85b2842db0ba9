import { PlanRunPage } from '@/components/plan-run/plan-run-page'

export default function Page() {
  return <PlanRunPage />
}
