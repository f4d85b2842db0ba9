import { AreaTexts } from '@/components/messages/area-texts'
import { PoliciesPage } from '@/components/policies/policies-page'

export default function Page() {
  return (
    <AreaTexts area="policies">
      <PoliciesPage />
    </AreaTexts>
  )
}
