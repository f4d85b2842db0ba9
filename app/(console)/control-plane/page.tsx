import { AreaTexts } from '@/components/messages/area-texts'
import { ControlPlanePage } from '@/components/control-plane/control-plane-page'

export default function Page() {
  return (
    <AreaTexts area="control-plane">
      <ControlPlanePage />
    </AreaTexts>
  )
}
