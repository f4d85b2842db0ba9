import { FleetPage } from '@/components/fleet/fleet-page'

export default function Page() {
  return <FleetPage />
}
