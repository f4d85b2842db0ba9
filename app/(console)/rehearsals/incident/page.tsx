'use client'
import { RecordedIncident } from '@/components/incident/recorded-incident'
import { AreaTexts } from '@/components/messages/area-texts'
import { RecordedIncidentPage } from '@/components/rehearsals/recorded-page'

export default function Page() {
  return (
    <AreaTexts area="rehearsals">
      <RecordedIncidentPage>{(record) => <RecordedIncident record={record} />}</RecordedIncidentPage>
    </AreaTexts>
  )
}
