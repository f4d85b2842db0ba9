'use client'
import { Layers } from 'lucide-react'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { useShortcut } from '../hooks/use-shortcuts'
import { FilterField } from '../shell/filter-field'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Legend } from '../status/legend'
import { Button } from '../ui/button'
import { LabelledCheckbox } from '../ui/checkbox'
import { ChoiceMenu } from '../ui/menu'
import { SkeletonRows } from '../ui/skeleton'
import { FleetEmpty } from './fleet-empty'
import { FleetHeadline } from './fleet-headline'
import { FleetMatrix } from './fleet-matrix'
import type { Grouping } from './matrix-model'
import { useFleet } from './use-fleet'

const GROUPING_WORDS: readonly { value: Grouping; label: string }[] = [
  { value: 'namespace', label: 'Namespace' },
  { value: 'kind', label: 'Kind' },
  { value: 'strategy', label: 'Strategy' },
  { value: 'none', label: 'No groups' },
]

/** Workloads × clusters: where everything is, and what is not as it should be. */
export function FleetPage() {
  const text = useText()
  const fleet = useFleet()
  const { url, query } = fleet
  const toggleExceptions = () => url.tweak({ only: query.onlyExceptions ? undefined : 'exceptions' })
  useShortcut('e', 'Only exceptions', toggleExceptions)
  return (
    <PageFrame
      title="Fleet"
      freshness={fleet.workloads.freshness}
      loaded={fleet.workloads.loaded}
      actions={<FleetControls fleet={fleet} />}
      subline={
        <>
          {fleet.workloads.refused === undefined && (
            <Legend
              counts={fleet.workloads.loaded ? fleet.counts : undefined}
              label={text('fleet.byState')}
              selected={query.state}
              hrefOf={(state) => url.hrefWith({ state })}
            />
          )}
          <LabelledCheckbox label="Only exceptions" checked={query.onlyExceptions} onCheckedChange={toggleExceptions} />
        </>
      }
    >
      <FleetHeadline workloads={fleet.workloads} clusters={fleet.clusters} />
      <FleetBody fleet={fleet} />
      <LaterPlanDrawer />
    </PageFrame>
  )
}

/** Filter and grouping. */
function FleetControls({ fleet: { url, grouping } }: { fleet: ReturnType<typeof useFleet> }) {
  return (
    <>
      <FilterField hint="Filter: name, ns=, cluster=, kind=" />
      <ChoiceMenu
        label="Group rows by"
        value={grouping}
        choices={GROUPING_WORDS}
        onChange={(value) => url.tweak({ group: value === 'namespace' ? undefined : value, closed: undefined })}
        trigger={
          <Button>
            <Layers size={14} aria-hidden="true" />
            Group
          </Button>
        }
      />
    </>
  )
}

/** Before the matrix, the states in which there is none. */
function FleetBody({ fleet }: { fleet: ReturnType<typeof useFleet> }) {
  const { workloads, clusters } = fleet
  const loaded = workloads.loaded && (clusters.loaded || clusters.refused !== undefined)
  if (workloads.refused !== undefined) return <Refused what="workloads" reason={workloads.refused} />
  if (!loaded) return <SkeletonRows label="Loading the fleet" rows={20} />
  if (workloads.items.length === 0)
    return <FleetEmpty clusters={clusters.refused === undefined ? clusters.items.length : undefined} />
  return <FleetMatrix fleet={fleet} />
}
