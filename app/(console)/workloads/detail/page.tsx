import { WorkloadPage } from '@/components/workload/workload-page'

export default function Page() {
  return <WorkloadPage />
}
