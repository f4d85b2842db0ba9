import { IncidentPage } from '@/components/incident/incident-page'

export default function Page() {
  return <IncidentPage />
}
