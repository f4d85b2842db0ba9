import { AreaTexts } from '@/components/messages/area-texts'
import { RunPage } from '@/components/rehearsals/run-page'

export default function Page() {
  return (
    <AreaTexts area="rehearsals">
      <RunPage />
    </AreaTexts>
  )
}
