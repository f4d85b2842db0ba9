import { NewPlanPage } from '@/components/plan-run/new-plan-page'

export default function Page() {
  return <NewPlanPage />
}
