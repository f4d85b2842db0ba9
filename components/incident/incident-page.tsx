'use client'
import type { Text } from '@/lib/messages'
import type { Replay } from '@/lib/view/incident/replay'
import { nameOfId } from '@/lib/view/workload-id'
import { AreaTexts } from '../messages/area-texts'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { ExportButtons } from './export-buttons'
import { IncidentBody } from './incident-body'
import { useIncidentRecord } from '../hooks/use-incident-record'
import { headlineOf, titleOf } from './words'

/** One incident, of `?cluster=`, or the failover of one workload, of `?workload=` and `?cluster=`; `since` names which. */
export function IncidentPage() {
  return (
    <AreaTexts area="incident">
      <Incident />
    </AreaTexts>
  )
}

function Incident() {
  const text = useText()
  const { get } = useUrlState()
  const failovers = useCollection('failover')
  const [cluster, workload, since] = [get('cluster'), get('workload'), get('since')]
  const { replay, readAt, isGone, error } = useIncidentRecord({ cluster, workload, since })
  const title = replay ? titleOf(text, replay) : workload === undefined ? (cluster ?? '') : nameOfId(workload)
  const isMissing = isGone || cluster === undefined
  return (
    <PageFrame
      title={<Trail parent={TRAILS.incidents} name={title} />}
      documentTitle={replay ? documentTitleOf(text, replay, title) : title}
      freshness={failovers.freshness}
      loaded={failovers.loaded}
      actions={replay && !isMissing && <ExportButtons replay={replay} />}
    >
      {isMissing && <Gone />}
      {!isMissing && error !== null && (
        <Notice state="warn" role="alert">
          {error.message}
        </Notice>
      )}
      {!isMissing && replay === undefined && error === null && <Outline />}
      {!isMissing && replay && <IncidentBody replay={replay} readAt={readAt} failovers={failovers} />}
    </PageFrame>
  )
}

/** What happens and how far it is, without the estimate: a title that changes every second cannot be read. */
function documentTitleOf(text: Text, replay: Replay, title: string): string {
  const headline = headlineOf(text, replay, { at: undefined, secondsLeft: undefined })
  return text('common.inCluster', { cluster: title, reason: headline })
}

/** The layout of the page, before anything is known. */
function Outline() {
  const text = useText()
  return (
    <output aria-label={text('incident.page.loading')} className="block px-6 py-4">
      <div className="h-8 max-w-xl rounded-control bg-sunken" />
      <div className="mt-3 h-4 max-w-2xl rounded-control bg-sunken" />
      <div className="mt-6 flex flex-col border-t border-line">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex h-10 items-center gap-6 border-b border-line">
            <div className="h-4 w-36 rounded-control bg-sunken" />
            <div className="h-6 grow rounded-control bg-raised" />
            <div className="h-4 w-36 rounded-control bg-sunken max-wide:hidden" />
          </div>
        ))}
      </div>
    </output>
  )
}

function Gone() {
  const text = useText()
  return (
    <EmptyState title={text('incident.page.gone')}>
      <p>{text('incident.page.goneHint')}</p>
      <p>
        <Link href="/failover" className="link">
          {text('incident.page.all')}
        </Link>
      </p>
    </EmptyState>
  )
}
