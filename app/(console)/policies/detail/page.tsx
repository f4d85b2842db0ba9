import { AreaTexts } from '@/components/messages/area-texts'
import { PolicyPage } from '@/components/policies/policy-page'

export default function Page() {
  return (
    <AreaTexts area="policies">
      <PolicyPage />
    </AreaTexts>
  )
}
