'use client'
import { clsx } from 'clsx'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { formatNumberOf } from '@/lib/format'
import type { FailoverStoryView } from '@/lib/view/failover-model'
import { href } from '../hooks/url-state'
import { useSortHeads } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { AskedFor } from '../status/asked-for'
import { Ago } from '../status/ago'
import { WorkloadName } from '../status/workload-name'
import { IconButton } from '../ui/button'
import { Link } from '../ui/link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { StoryActs } from './acts'
import { useAsked } from '../status/asked'
import { Countdown } from './countdown'
import { causeWord } from './failover-words'
import type { MonitorRow } from './monitor-model'
import { StageTrack } from './stage-track'

const COLUMNS = 8

/** One line for each failover that runs; workloads of a lost cluster stand under it. */
export function StoryTable({ rows, gone }: { rows: readonly MonitorRow[]; gone: ReadonlySet<string> }) {
  const head = useSortHeads()
  return (
    <Table pinLast aria-label="Failovers" aria-rowcount={rows.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('where')}>Where</Th>
        <Th figure sort={head('since')}>Since</Th>
        <Th sort={head('stage')}>Stage</Th>
        <Th className="w-full min-w-48" sort={head('what')}>What</Th>
        <Th sort={head('next')}>Next</Th>
        <Th sort={head('purge')}>Old copy</Th>
        <Th sort={head('by')}>By</Th>
        <Th className="pr-6">
          <span className="sr-only">Actions</span>
        </Th>
      </ListHead>
      <VirtualBody
        items={rows}
        columns={COLUMNS}
        render={(row) => (
          <StoryRow
            key={row.id}
            story={row.story}
            nested={row.nested}
            size={row.group?.size}
            open={row.group?.open}
            gone={gone.has(row.id)}
          />
        )}
      />
    </Table>
  )
}

interface StoryRowProps {
  story: FailoverStoryView
  nested: boolean
  /** Of a cluster: its workloads, and whether they are shown. */
  size: number | undefined
  open: boolean | undefined
  gone: boolean
}

/** Drawn again only when its own story changed: hundreds change in a second when a cluster is lost. */
const StoryRow = memo(function StoryRow({ story, nested, size = 0, open = false, gone }: StoryRowProps) {
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="story-row"
      data-story={story.id}
      data-kind={story.kind}
      data-stage={story.stage}
      data-kept={story.kept}
      data-cluster={story.cluster}
    >
      <Td className={clsx('whitespace-nowrap', nested ? 'pl-14' : 'pl-6')}>
        {story.kind === 'cluster' ? (
          <ClusterName cluster={story.cluster} size={size} open={open} />
        ) : (
          <Where story={story} nested={nested} />
        )}
      </Td>
      <Td figure>
        <Ago time={story.since} absent="—" />
      </Td>
      <Td>
        <StageTrack story={story} />
      </Td>
      <Td className="w-full max-w-0 min-w-48">
        <What story={story} />
      </Td>
      <Td>
        {story.deadline && !story.kept ? (
          <Countdown deadline={story.deadline} />
        ) : (
          <span className="text-ink-2">{story.kept ? 'you decide' : '—'}</span>
        )}
      </Td>
      <Td className="whitespace-nowrap">{story.purgeMode ?? <span className="text-ink-2">—</span>}</Td>
      <Td className="whitespace-nowrap">
        {story.producer === undefined ? (
          <span className="text-ink-2">—</span>
        ) : (
          <span title={story.producer}>{causeWord(story)}</span>
        )}
      </Td>
      <Td figure className="pr-6">
        {!gone && <StoryActs story={story} />}
      </Td>
    </tr>
  )
})

function Where({ story, nested }: { story: FailoverStoryView; nested: boolean }) {
  return (
    <span>
      {story.workload && story.ref && <WorkloadName id={story.workload} workload={story.ref} />}{' '}
      {!nested && (
        <span className="text-ink-2">
          in{' '}
          <Link href={href.cluster(story.cluster)} className="hover:underline">
            {story.cluster}
          </Link>
        </span>
      )}
    </span>
  )
}

function ClusterName({ cluster, size, open }: { cluster: string; size: number; open: boolean }) {
  const { get, tweak } = useUrlState()
  const toggle = () => tweak({ groups: toggled(get('groups'), cluster) })
  return (
    <span className="flex items-center gap-1">
      {size > 0 && (
        <IconButton
          label={`${open ? 'Hide' : 'Show'} the ${formatNumberOf(size, 'workload')} of ${cluster}`}
          aria-expanded={open}
          onClick={toggle}
          className="-ml-1"
        >
          {open ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
        </IconButton>
      )}
      <Link href={href.cluster(cluster)} className="font-medium hover:underline">
        {cluster}
      </Link>
      <span className="text-ink-2">cluster</span>
    </span>
  )
}

function toggled(groups: string | undefined, cluster: string): string {
  const names = (groups ?? '').split(',').filter(Boolean)
  return (names.includes(cluster) ? names.filter((name) => name !== cluster) : [...names, cluster]).join(',')
}

function What({ story }: { story: FailoverStoryView }) {
  const asked = useAsked().askedOf(story.id, story)
  const { state: { reason }, replicas, blockedUntil } = story
  const amount = replicas !== undefined && replicas > 0 && story.producer !== undefined ? `${replicas} ` : ''
  const blocked = blockedUntil === undefined ? '' : blockedUntil === 'for ever' ? '; kept out for good' : ''
  return (
    <span className="flex items-center gap-2">
      <CutText text={`${amount}${reason}${blocked}`} />
      <AskedFor words={asked} />
    </span>
  )
}
