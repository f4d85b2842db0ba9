import { ClusterPage } from '@/components/clusters/cluster-page'
import { AreaTexts } from '@/components/messages/area-texts'

export default function Page() {
  return (
    <AreaTexts area="members">
      <ClusterPage />
    </AreaTexts>
  )
}
