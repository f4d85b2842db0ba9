import { AreaTexts } from '@/components/messages/area-texts'
import { NewPolicyPage } from '@/components/policies/new-policy-page'

export default function Page() {
  return (
    <AreaTexts area="policies">
      <NewPolicyPage />
    </AreaTexts>
  )
}
