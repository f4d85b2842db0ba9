import { AreaTexts } from '@/components/messages/area-texts'
import { WorkloadPage } from '@/components/workload/workload-page'

export default function Page() {
  return (
    <AreaTexts area="members">
      <WorkloadPage />
    </AreaTexts>
  )
}
