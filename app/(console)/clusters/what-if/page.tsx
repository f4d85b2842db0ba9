import { AreaTexts } from '@/components/messages/area-texts'
import { WhatIfPage } from '@/components/what-if/what-if-page'

export default function Page() {
  return (
    <AreaTexts area="what-if">
      <WhatIfPage />
    </AreaTexts>
  )
}
