'use client'
import { Suspense, useEffect } from 'react'
import { drillOf } from '../drill/drill'
import { isOutdated } from '../hooks/freshness'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts, wantTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { IfLookedFor, Refused, UnreadNotes } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { laterPart, lowerPart } from '../ui/later-part'
import { AttentionList } from './attention-list'
import { FederationPanel } from './federation-panel'
import { OverviewHead } from './overview-head'
import { OverviewOutline } from './overview-outline'
import { type OverviewData, useOverview } from './use-overview'

const FirstRun = laterPart(() => import('./first-run').then((code) => code.FirstRun))
const DrillSteps = laterPart(() => import('../drill/drill-steps').then((code) => code.DrillSteps))
const QueuesPanel = lowerPart(() => import('./queues-panel').then((code) => code.QueuesPanel))
const ResiliencePanel = lowerPart(() => import('./resilience-panel').then((code) => code.ResiliencePanel))
const DayPanel = lowerPart(() => import('./day-panel').then((code) => code.DayPanel))

// The page of all pages: its texts are fetched beside its code.
wantTexts('overview')

/** Shows the state of the federation: one sentence, the placement of workloads, and problems that need an operator. */
export function OverviewPage() {
  return (
    <AreaTexts area="overview">
      <Overview />
    </AreaTexts>
  )
}

function Overview() {
  const text = useText()
  const data = useOverview()
  const sentence = data.loaded ? text.of(data.headline.sentence) : ''
  useWallDisplay()
  const announce = useAnnounce()
  useEffect(() => {
    if (sentence !== '') announce(sentence)
  }, [announce, sentence])
  return (
    <PageFrame
      title={text('shell.section.overview')}
      {...(sentence !== '' && { documentTitle: sentence })}
      freshness={data.workloads.freshness}
      loaded={data.loaded}
    >
      <Body data={data} />
    </PageFrame>
  )
}

/** `?display=wall`: without navigation and header, and larger. */
function useWallDisplay(): void {
  const isWall = useUrlState().get('display') === 'wall'
  useEffect(() => {
    if (!isWall) return
    const { dataset } = document.documentElement
    dataset.display = 'wall'
    return () => {
      delete dataset.display
    }
  }, [isWall])
}

/** A simulation in which no cluster failed yet. */
const isUntouched = ({ clusters, failover, history, plans }: OverviewData): boolean =>
  drillOf({ clusters: clusters.items, failovers: failover.items, past: history.items, plans: plans.items })?.done === 0

/** A reader without the right to list clusters sees no note about them; a failure that affects all readers is shown. */
const consoleFaults = ({ unread }: OverviewData['clusters']) => unread.filter(({ reason }) => reason !== 'NoPermission')

function Body({ data }: { data: OverviewData }) {
  const { get, navigate } = useUrlState()
  const drill = get('drill')
  const { workloads, clusters, loaded, queues } = data
  if (workloads.refused !== undefined) return <Refused what="workloads" of={workloads} />
  if (!loaded) return <OverviewOutline />
  if (workloads.items.length === 0)
    return (
      <IfLookedFor of={workloads}>
        <FirstRun clusters={clusters.refused === undefined ? clusters.items.length : undefined} />
      </IfLookedFor>
    )
  const attention = <AttentionList items={data.attention} offer={drill !== '1' && isUntouched(data)} />
  // On a phone all parts are in one column, so failures come first.
  const isUrgent = data.attention.some(({ state }) => state === 'fail' || state === 'unknown')
  return (
    <div className={isOutdated(workloads.freshness) ? 'grayscale' : undefined} data-testid="overview">
      {drill === '1' && (
        <Suspense fallback={null}>
          <DrillSteps onLeave={() => navigate({ drill: undefined })} />
        </Suspense>
      )}
      <UnreadNotes unread={[...workloads.unread, ...consoleFaults(clusters)]} />
      <OverviewHead data={data} />
      {/* The list beside all else may be long: it must not push away what stands below the picture. */}
      <div className="grid grid-cols-[minmax(0,1fr)] border-t border-line wide:grid-cols-[minmax(0,1fr)_20rem] wide:grid-rows-[auto_auto_1fr]">
        {isUrgent && attention}
        <FederationPanel data={data} />
        {!isUrgent && attention}
        <div className="grid grid-cols-[minmax(0,1fr)] border-t border-line wide:grid-cols-2 wide:divide-x wide:divide-line">
          <ResiliencePanel survey={data.survey} clusters={clusters.items} />
          <QueuesPanel queues={queues} />
        </div>
        <DayPanel data={data} />
      </div>
    </div>
  )
}
