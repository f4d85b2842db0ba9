import type { Metadata } from 'next'
import { RebalancersPage } from '@/components/rebalancers/rebalancers-page'

export const metadata: Metadata = { title: 'Rebalancers' }

export default function Page() {
  return <RebalancersPage />
}
