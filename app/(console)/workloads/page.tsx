import { WorkloadsPage } from '@/components/workload/workloads-page'

export default function Page() {
  return <WorkloadsPage />
}
