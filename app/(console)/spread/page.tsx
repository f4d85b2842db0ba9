import { AreaTexts } from '@/components/messages/area-texts'
import { SpreadPage } from '@/components/spread/spread-page'

export default function Page() {
  return (
    <AreaTexts area="spread">
      <SpreadPage />
    </AreaTexts>
  )
}
