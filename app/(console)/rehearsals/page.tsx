import { AreaTexts } from '@/components/messages/area-texts'
import { RehearsalsPage } from '@/components/rehearsals/rehearsals-page'

export default function Page() {
  return (
    <AreaTexts area="rehearsals">
      <RehearsalsPage />
    </AreaTexts>
  )
}
