import type { Metadata } from 'next'
import { WorkloadsPage } from '@/components/workload/workloads-page'

export const metadata: Metadata = { title: 'Workloads' }

export default function Page() {
  return <WorkloadsPage />
}
