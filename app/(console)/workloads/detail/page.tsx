import type { Metadata } from 'next'
import { WorkloadPage } from '@/components/workload/workload-page'

export const metadata: Metadata = { title: 'Workload' }

export default function Page() {
  return <WorkloadPage />
}
