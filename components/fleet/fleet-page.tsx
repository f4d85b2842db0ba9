'use client'
import { Layers } from 'lucide-react'
import { useEffect } from 'react'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { useShortcut } from '../hooks/use-shortcuts'
import { FilterField } from '../shell/filter-field'
import { IfLookedFor, Refused, UnreadNotes } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Legend } from '../status/legend'
import { Button } from '../ui/button'
import { closedPart, laterPart } from '../ui/later-part'
import { LabelledCheckbox } from '../ui/checkbox'
import { ChoiceMenu } from '../ui/menu'
import { FleetHeadline } from '../fleet-summary/fleet-headline'
import { ViewSwitch } from '../fleet-summary/view-switch'
import { FleetMatrix } from './fleet-matrix'
import { FleetOutline } from './fleet-outline'
import { GROUPINGS } from './matrix-model'
import { useFleet } from './use-fleet'

const FleetTools = closedPart(() => import('./tools/fleet-tools').then((code) => code.FleetTools))
const FleetEmpty = laterPart(() => import('../fleet-summary/fleet-empty').then((code) => code.FleetEmpty))

/** Shows workloads × clusters: the placement of each workload, and its problems. */
export function FleetPage() {
  const text = useText()
  const fleet = useFleet()
  const { url, query } = fleet
  const toggleExceptions = () => url.tweak({ only: query.onlyExceptions ? undefined : 'exceptions' })
  useShortcut('e', text('fleet.onlyExceptions'), toggleExceptions)
  return (
    <PageFrame
      title={text('shell.section.workloads')}
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
          <LabelledCheckbox
            label={text('fleet.onlyExceptions')}
            checked={query.onlyExceptions}
            onCheckedChange={toggleExceptions}
          />
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
function FleetControls({ fleet }: { fleet: ReturnType<typeof useFleet> }) {
  const text = useText()
  const { url, grouping, isHeat } = fleet
  return (
    <>
      <ViewSwitch shown={isHeat ? 'heat' : 'matrix'} />
      <FilterField hint={text('fleet.filterHint')} />
      <ChoiceMenu
        label={text('fleet.groupBy')}
        value={grouping}
        choices={GROUPINGS.map((value) => ({ value, label: text(`fleet.grouping.${value}`) }))}
        onChange={(value) =>
          url.tweak({ group: value === 'namespace' ? undefined : value, closed: undefined, open: undefined })
        }
        trigger={
          <Button>
            <Layers size={14} aria-hidden="true" />
            {text('fleet.group')}
          </Button>
        }
      />
      {/* As wide as the two buttons that arrive later. */}
      <span className="flex w-14">
        <FleetTools fleet={fleet} />
      </span>
    </>
  )
}

/** Before the matrix, the states in which there is none. */
function FleetBody({ fleet }: { fleet: ReturnType<typeof useFleet> }) {
  // Beside the data, so that the table is at hand when these are here.
  useEffect(() => void import('./matrix').catch(() => undefined), [])
  const { workloads, clusters } = fleet
  const loaded = workloads.loaded && (clusters.loaded || clusters.refused !== undefined)
  if (workloads.refused !== undefined) return <Refused what="workloads" of={workloads} />
  if (!loaded) return <FleetOutline />
  if (workloads.items.length === 0)
    return (
      <IfLookedFor of={workloads}>
        <FleetEmpty clusters={clusters.refused === undefined ? clusters.items.length : undefined} />
      </IfLookedFor>
    )
  return (
    <>
      <UnreadNotes unread={workloads.unread} />
      <FleetMatrix fleet={fleet} />
    </>
  )
}
