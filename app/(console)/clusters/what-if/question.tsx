'use client'
import { useUrlState } from '@/components/hooks/use-url-state'
import { AreaTexts } from '@/components/messages/area-texts'
import { ResiliencePage } from '@/components/resilience/resilience-page'
import { WhatIfPage } from '@/components/what-if/what-if-page'

/** The what-if of the clusters in the address; without them, all losses. */
export function Question() {
  return useUrlState().get('cluster') === undefined ? (
    <AreaTexts area="resilience">
      <ResiliencePage />
    </AreaTexts>
  ) : (
    <AreaTexts area="what-if">
      <WhatIfPage />
    </AreaTexts>
  )
}
