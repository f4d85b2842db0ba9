'use client'
import { clsx } from 'clsx'
import { useId } from 'react'
import { type LabLine, labLines, type LabLines } from '@/lib/view/lab/lines'
import type { LabOutcome, WorkloadOutcome } from '@/lib/view/lab/outcome'
import type { LabView } from '@/lib/view/policy-model'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Choice } from '../ui/choice'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { Table, Td, Th } from '../ui/table'
import { LabStrip } from './lab-strip'
import type { Draft, LabResult } from './use-lab'

/** The workload that the address names, else the one that moves most. */
export function chosenIn(outcome: LabOutcome | undefined, id: string | undefined): WorkloadOutcome | undefined {
  const workloads = outcome?.workloads ?? []
  return (
    workloads.find((one) => one.id === id)
    ?? workloads.toSorted((a, b) => b.tried.moved - a.tried.moved).find(() => true)
  )
}

/** `saved`: what saving does by itself; `rebalanced`: where a rebalance then leads. */
const STAGES = ['rebalanced', 'saved'] as const
type Stage = (typeof STAGES)[number]

interface LabPictureProps {
  draft: Draft
  result: LabResult
  lab: LabView | undefined
}

/** Where the replicas of one workload would run: dashed outline = now, fill = with this edit. Then all others in a strip. */
export function LabPicture({ draft, result, lab }: LabPictureProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const { outcome, inputs } = result
  const chosen = chosenIn(outcome, get('w'))
  const stage: Stage = get('after') === 'save' ? 'saved' : 'rebalanced'
  if (!lab) return <SkeletonRows label={text('policies.lab.loading')} />
  if (lab.clusters === undefined) return null
  if (!chosen || !inputs || !outcome) {
    return (
      <EmptyState title={text('policies.lab.headline.nothing')}>
        <p>{text('policies.lab.nothingMeaning')}</p>
      </EmptyState>
    )
  }
  const lines = labLines(chosen, inputs.clusters, chosen.tried[stage])
  return (
    <section
      aria-label={text('policies.lab.where')}
      className={clsx('flex min-w-0 flex-col gap-4', draft.problem && 'opacity-50')}
      data-testid="lab-picture"
      data-workload={chosen.id}
      data-stale={draft.problem !== undefined}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Choice
          label={text('policies.lab.workload')}
          value={chosen.id}
          options={outcome.workloads.map(({ id, ref, isNew, tried }) => ({
            value: id,
            label: text(isNew ? 'policies.lab.newOption' : 'policies.lab.workloadOption', {
              name: nameOf(ref),
              moved: tried.moved,
            }),
          }))}
          onChange={(w) => tweak({ w })}
        />
        {/* Saving schedules workloads without a placement; a rebalance does not affect them. */}
        {!chosen.isNew && (
          <Choice
            label={text('policies.lab.stage')}
            value={stage}
            options={STAGES.map((value) => ({ value, label: text(`policies.lab.stages.${value}`) }))}
            onChange={(next) => tweak({ after: next === 'saved' ? 'save' : undefined })}
          />
        )}
      </div>
      <Verdict chosen={chosen} />
      <ClusterTable lines={lines} />
      <LeftOut lines={lines} />
      <LabStrip outcome={outcome} chosen={chosen.id} onChoose={(w) => tweak({ w })} />
    </section>
  )
}

/** Why it stays, is refused, or finds no place. */
function Verdict({ chosen: { failure, isSuspended, tried } }: { chosen: WorkloadOutcome }) {
  const text = useText()
  const reason = isSuspended ? text('policies.lab.suspended') : failure ? text.of(failure) : undefined
  const outcome = tried.outcome && text.of(tried.outcome.reason.text)
  const said = reason ?? outcome
  return said === undefined ? null : <p data-testid="lab-verdict">{said}</p>
}

function ClusterTable({ lines }: { lines: LabLines }) {
  const text = useText()
  const all = lines.regions.flatMap((region) => region.lines)
  const most = Math.max(1, ...all.flatMap(({ now, after }) => [now, after]))
  const sum = (amount: (line: LabLine) => number) => all.reduce((total, line) => total + amount(line), 0)
  const [now, after] = [sum((line) => line.now), sum((line) => line.after)]
  return (
    <Table aria-label={text('policies.lab.where')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('policies.lab.column.cluster')}</Th>
          <Th figure className="max-wide:hidden" title={text('policies.lab.column.scoreHint')}>
            {text('policies.lab.column.score')}
          </Th>
          <Th figure className="max-wide:hidden" title={text('policies.lab.column.availableHint')}>
            {text('policies.lab.column.available')}
          </Th>
          <Th>{text('policies.lab.column.replicas')}</Th>
          <Th figure>{text('policies.lab.column.change')}</Th>
        </tr>
      </thead>
      {lines.regions.map(({ region, lines: members }) => (
        <tbody key={region}>
          <tr>
            <th colSpan={5} scope="rowgroup" className="h-6 bg-raised px-3 text-left text-body font-medium">
              {text('policies.lab.region', {
                region: region || text('policies.lab.noRegion'),
                now: members.reduce((total, line) => total + line.now, 0),
                after: members.reduce((total, line) => total + line.after, 0),
              })}
            </th>
          </tr>
          {members.map((line) => (
            <ClusterRow key={line.cluster} line={line} most={most} />
          ))}
        </tbody>
      ))}
      <tfoot>
        <tr data-testid="lab-total" data-now={now} data-after={after}>
          <Td className="pl-0 font-medium">{text('policies.lab.total')}</Td>
          <Td className="max-wide:hidden" colSpan={2} />
          <Td className="font-medium">{text('policies.lab.nowThen', { now, after })}</Td>
          <Td figure className="font-medium">
            {text.format.delta(after - now)}
          </Td>
        </tr>
      </tfoot>
    </Table>
  )
}

function ClusterRow({ line, most }: { line: LabLine; most: number }) {
  const text = useText()
  const { cluster, score, available, now, after, why } = line
  return (
    <tr data-testid="lab-cluster" data-cluster={cluster} data-now={now} data-after={after} data-available={available}>
      <Td className="max-w-48 truncate pl-0" title={cluster}>
        <Link href={href.cluster(cluster)} className="hover:underline">
          {cluster}
        </Link>
      </Td>
      <Td figure className="max-wide:hidden">
        {score ?? <span className="text-ink-2">—</span>}
      </Td>
      <Td figure className="max-wide:hidden">
        {available === undefined ? <span className="text-ink-2">—</span> : text.format.count(available)}
      </Td>
      <Td className="w-full max-w-0 min-w-32" title={text.of(why)}>
        <NowAndThen now={now} after={after} most={most} />
        <span className="sr-only">{text.of(why)}</span>
      </Td>
      <Td figure className="font-medium">
        {after === now ? <span className="text-ink-2">0</span> : text.format.delta(after - now)}
      </Td>
    </tr>
  )
}

const WIDTH = 220

/** Dashed outline = now, fill = with this edit, both to the scale of the table. */
function NowAndThen({ now, after, most }: { now: number; after: number; most: number }) {
  const text = useText()
  const at = (count: number) => (count / most) * (WIDTH - 2)
  return (
    <span className="flex items-center gap-2">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} 18`}
        className="h-4.5 w-0 min-w-0 grow"
        preserveAspectRatio="none"
        data-swatch
      >
        {after > 0 && <rect x="1" y="3" width={at(after)} height="12" className="fill-amount-5" />}
        {now > 0 && (
          <rect
            x="1"
            y="1"
            width={at(now)}
            height="16"
            fill="none"
            strokeDasharray="4 3"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink"
          />
        )}
      </svg>
      <span className="w-16 shrink-0 whitespace-nowrap">{text('policies.lab.nowThen', { now, after })}</span>
    </span>
  )
}

/** So many names of a group are shown. */
const MAX_NAMES = 3

/** Every other cluster, with its reason; clusters of the same reason stand together. */
function LeftOut({ lines: { leftOut, all } }: { lines: LabLines }) {
  const text = useText()
  const id = useId()
  const count = leftOut.reduce((sum, { clusters }) => sum + clusters.length, 0)
  if (count === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-section">
        {text('policies.lab.notSelected', { n: count, of: all })}
      </h3>
      <ul>
        {leftOut.map(({ why, clusters, fits }) => (
          <li
            key={clusters[0]}
            className="grid gap-x-4 border-b border-line py-1 wide:grid-cols-[14rem_1fr]"
            data-testid="lab-left-out"
            data-fits={fits}
            data-clusters={clusters.join(' ')}
          >
            <span className="min-w-0 break-words" title={clusters.join(', ')}>
              {text('policies.lab.andMore', {
                names: clusters.slice(0, MAX_NAMES),
                more: Math.max(0, clusters.length - MAX_NAMES),
              })}
            </span>
            <span className="text-ink-2">{text.of(why)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
