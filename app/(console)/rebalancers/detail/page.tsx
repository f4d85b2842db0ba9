import type { Metadata } from 'next'
import { RebalancerPage } from '@/components/rebalancers/rebalancer-page'

export const metadata: Metadata = { title: 'Rebalancer' }

export default function Page() {
  return <RebalancerPage />
}
