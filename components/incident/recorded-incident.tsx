'use client'
import { useMemo } from 'react'
import type { FailoverEntryView, IncidentRecord } from '@/lib/view/failover-model'
import { replayOf } from '@/lib/view/incident/replay'
import type { Collection } from '../hooks/use-collection'
import { AreaTexts } from '../messages/area-texts'
import { IncidentBody } from './incident-body'

/** An incident whose whole record is known: nothing is read on, and no eviction is announced. */
export function RecordedIncident({ record }: { record: IncidentRecord }) {
  const replay = useMemo(() => replayOf(record), [record])
  return (
    <AreaTexts area="incident">
      <IncidentBody replay={replay} failovers={NO_FAILOVERS} />
    </AreaTexts>
  )
}

const NO_FAILOVERS: Collection<FailoverEntryView> = {
  loaded: true,
  items: [],
  byId: new Map(),
  freshness: { word: 'Live' },
  unread: [],
}
