import type { Metadata } from 'next'
import { FleetPage } from '@/components/fleet/fleet-page'

export const metadata: Metadata = { title: 'Fleet' }

export default function Page() {
  return <FleetPage />
}
