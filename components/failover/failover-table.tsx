'use client'
import { clsx } from 'clsx'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { FailoverView } from '@/lib/view/failover-model'
import { href } from '../hooks/url-state'
import { useSortHeads } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { AskedFor } from '../status/asked-for'
import { Ago } from '../status/ago'
import { WorkloadName } from '../status/workload-name'
import { IconButton } from '../ui/button'
import { Link } from '../ui/link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { FailoverActions } from './failover-actions'
import { useAsked } from '../status/asked'
import { Countdown } from './countdown'
import { causeWord } from './failover-words'
import type { MonitorRow } from './monitor-model'
import { StageTrack } from './stage-track'
import { WorkloadInCluster } from './workload-in-cluster'

const COLUMNS = 8
/** Of a row whose status takes two lines, in pixels. */
const ROW_HEIGHT = 45

/** One line for each failover that runs; workloads of a lost cluster stand under it. */
export function FailoverTable({ rows, gone }: { rows: readonly MonitorRow[]; gone: ReadonlySet<string> }) {
  const text = useText()
  const head = useSortHeads()
  return (
    <Table pinLast aria-label={text('failover.running')} aria-rowcount={rows.length + 1}>
      <ListHead>
        <Th className="pl-6" sort={head('where')}>
          {text('failover.column.where')}
        </Th>
        <Th figure sort={head('since')}>
          {text('failover.column.since')}
        </Th>
        <Th sort={head('stage')}>{text('failover.column.stage')}</Th>
        <Th className="w-full min-w-48" sort={head('what')}>
          {text('failover.column.status')}
        </Th>
        <Th sort={head('next')}>{text('failover.column.next')}</Th>
        <Th sort={head('purge')}>{text('failover.column.purgeMode')}</Th>
        <Th sort={head('by')}>{text('failover.column.cause')}</Th>
        <Th className="pr-6">
          <span className="sr-only">{text('failover.column.actions')}</span>
        </Th>
      </ListHead>
      <VirtualBody
        items={rows}
        columns={COLUMNS}
        rowHeight={ROW_HEIGHT}
        render={(row) => (
          <FailoverRow
            key={row.id}
            failover={row.failover}
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

interface FailoverRowProps {
  failover: FailoverView
  nested: boolean
  /** Of a cluster: its workloads, and whether they are shown. */
  size: number | undefined
  open: boolean | undefined
  gone: boolean
}

/** Drawn again only when its own failover changed: hundreds change in a second when a cluster is lost. */
const FailoverRow = memo(function FailoverRow({ failover, nested, size = 0, open = false, gone }: FailoverRowProps) {
  const text = useText()
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="failover-row"
      data-failover={failover.id}
      data-kind={failover.kind}
      data-stage={failover.stage}
      data-kept={failover.kept}
      data-cluster={failover.cluster}
    >
      <Td className={clsx('whitespace-nowrap', nested ? 'pl-14' : 'pl-6')}>
        {failover.kind === 'cluster' ? (
          <ClusterName cluster={failover.cluster} size={size} open={open} />
        ) : (
          <Where failover={failover} nested={nested} />
        )}
      </Td>
      <Td figure>
        <Ago time={failover.since} absent="—" />
      </Td>
      <Td>
        <StageTrack failover={failover} />
      </Td>
      <Td className="w-full max-w-0 min-w-48">
        <What failover={failover} />
      </Td>
      <Td>
        {failover.deadline && !failover.kept ? (
          <Countdown deadline={failover.deadline} />
        ) : (
          <span className="text-ink-2">{failover.kept ? text('failover.waitsForOperator') : '—'}</span>
        )}
      </Td>
      <Td className="whitespace-nowrap">{failover.purgeMode ?? <span className="text-ink-2">—</span>}</Td>
      <Td className="min-w-28">
        {failover.producer === undefined ? (
          <span className="text-ink-2">—</span>
        ) : (
          <span title={failover.producer}>{causeWord(text, failover)}</span>
        )}
      </Td>
      <Td figure className="pr-6">
        {!gone && <FailoverActions failover={failover} />}
      </Td>
    </tr>
  )
})

function Where({ failover: { workload, ref, cluster }, nested }: { failover: FailoverView; nested: boolean }) {
  const text = useText()
  if (workload === undefined || ref === undefined) return null
  if (nested) return <WorkloadName id={workload} workload={ref} />
  return (
    <>
      <WorkloadInCluster workload={workload} name={ref} cluster={cluster} />{' '}
      <Link href={href.incident({ cluster, workload })} className="link" data-testid="open-incident">
        {text('failover.timeline')}
      </Link>
    </>
  )
}

/** Beside other controls a link is a target of at least 24 px (WCAG 2.2, 2.5.8). */
const TARGET = 'inline-flex min-h-6 min-w-6 items-center'

function ClusterName({ cluster, size, open }: { cluster: string; size: number; open: boolean }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const toggle = () => tweak({ groups: toggled(get('groups'), cluster) })
  return (
    <span className="flex items-center gap-1">
      {size > 0 && (
        <IconButton
          label={text(open ? 'failover.hideWorkloads' : 'failover.showWorkloads', { workloads: size, cluster })}
          aria-expanded={open}
          onClick={toggle}
          className="-ml-1"
        >
          {open ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
        </IconButton>
      )}
      <Link href={href.cluster(cluster)} className={clsx(TARGET, 'font-medium hover:underline')}>
        {cluster}
      </Link>
      <span className="text-ink-2">{text('failover.cluster')}</span>
      <Link href={href.incident({ cluster })} className={clsx(TARGET, 'link')} data-testid="open-incident">
        {text('failover.timeline')}
      </Link>
    </span>
  )
}

function toggled(groups: string | undefined, cluster: string): string {
  const names = (groups ?? '').split(',').filter(Boolean)
  return (names.includes(cluster) ? names.filter((name) => name !== cluster) : [...names, cluster]).join(',')
}

function What({ failover }: { failover: FailoverView }) {
  const text = useText()
  const asked = useAsked().askedOf(failover.id, failover)
  return (
    <span className="flex items-center gap-2">
      <CutText lines={failover.kind === 'cluster' ? 3 : 2} text={text.of(failover.state.reason)} />
      <AskedFor words={asked} />
    </span>
  )
}
