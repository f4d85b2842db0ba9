'use client'
import { clsx } from 'clsx'
import type { KeyboardEvent, ReactNode } from 'react'
import type { PodView } from '@/lib/view/member-model'
import type { CellView, State, WorkloadDetailView } from '@/lib/view/model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import type { Texture } from '../picture/use-textures'
import { podAddress } from '../pods/pod-words'
import { PodSquare } from '../pods/pod-square'
import type { InMember } from '../pods/use-member-pods'
import { Ago } from '../status/ago'
import { StateGlyph } from '../status/state-glyph'
import { type Box, type Layout, SQUARE, squaresOf } from './topology-layout'

interface NodeProps {
  box: Box
  /** The value of `node` in the address; absent: nothing opens. */
  address?: string
  state: State
  kind: ReactNode
  name: string
  lines?: ReactNode
  isDashed?: boolean
}

const BORDERS: Partial<Record<State, string>> = {
  active: 'border-2 border-active',
  warn: 'border-2 border-warn',
  fail: 'border-2 border-fail bg-chart-lost-fill',
  held: 'border-2 border-held',
}

/** One object: its border is its state, dashed while it leaves. */
function Node({ box, address, state, kind, name, lines, isDashed = false }: NodeProps) {
  const { get, navigate } = useUrlState()
  const isOpen = address !== undefined && get('node') === address
  return (
    <foreignObject {...box}>
      <button
        type="button"
        data-node={address}
        data-state={state}
        disabled={address === undefined}
        aria-expanded={address === undefined ? undefined : isOpen}
        title={name}
        onClick={() => navigate({ node: address, part: undefined })}
        className={clsx(
          'flex size-full flex-col justify-center rounded-panel border px-2.5 text-left text-label -outline-offset-2 disabled:cursor-default',
          BORDERS[state] ?? 'border-line-strong',
          state !== 'fail' && 'bg-paper enabled:hover:bg-hover',
          isDashed && 'border-dashed',
          isOpen && 'ring-2 ring-focus ring-inset',
        )}
      >
        <span className="flex max-w-full items-center gap-1.5 font-normal text-ink-2">
          <StateGlyph state={state} size={10} />
          <span className="truncate">{kind}</span>
        </span>
        <span className="max-w-full truncate text-body font-medium">{name}</span>
        {lines}
      </button>
    </foreignObject>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <span className="max-w-full truncate font-normal text-ink-2">{children}</span>
}

export function SourceNodes({ workload, layout }: { workload: WorkloadDetailView; layout: Layout }) {
  const text = useText()
  const { ref, policy, hasReplicas, desired, strategy } = workload
  return (
    <>
      <Node
        box={layout.template}
        address="template"
        state="ok"
        kind={ref.kind}
        name={ref.name}
        lines={hasReplicas && <Line>{text('topology.replicas', { n: desired })}</Line>}
      />
      <Node
        box={layout.policy}
        {...(policy && { address: 'policy' })}
        state={policy ? 'ok' : 'unknown'}
        kind={policy?.kind ?? text('topology.policy')}
        name={policy?.name ?? text('topology.noPolicy')}
        lines={<Line>{text(`workload.strategy.${strategy}`)}</Line>}
      />
    </>
  )
}

export function OverrideNodes({ names, boxes }: { names: readonly string[]; boxes: readonly Box[] }) {
  const text = useText()
  return names.map((name, index) => (
    <Node key={name} box={boxes[index]!} state="ok" kind={text('topology.override')} name={name} isDashed />
  ))
}

export function BindingNode({ workload, box }: { workload: WorkloadDetailView; box: Box }) {
  const text = useText()
  const { binding, cells, evictionTasks, lastScheduledTime, state } = workload
  return (
    <Node
      box={box}
      address="binding"
      state={state.state}
      kind={binding.kind}
      name={binding.name}
      lines={
        <>
          <Line>
            {text('topology.scheduled')} <Ago time={lastScheduledTime} />
          </Line>
          <Line>{text('topology.clusters', { n: cells.length })}</Line>
          {evictionTasks.length > 0 && (
            <span className="truncate text-link">{text('topology.tasks', { n: evictionTasks.length })}</span>
          )}
        </>
      }
    />
  )
}

interface LaneProps {
  cell: CellView
  kind: string
  hasReplicas: boolean
  boxes: Layout['lanes'][number]
  member: InMember
  fill: (texture: Texture) => string
}

export function LaneNodes({ cell, kind, hasReplicas, boxes, member, fill }: LaneProps) {
  const text = useText()
  const { cluster, applied, role, state, ready, desired } = cell
  const isLeaving = role !== 'placed'
  const workState: State = isLeaving ? 'held' : applied ? 'ok' : 'active'
  return (
    <g data-lane={cluster} data-state={state.state}>
      <Node
        box={boxes.work}
        address={`work/${cluster}`}
        state={workState}
        kind={text('topology.work')}
        name={text(isLeaving ? `topology.work.${role}` : applied ? 'topology.work.applied' : 'topology.work.pending')}
        isDashed={isLeaving}
      />
      <Node
        box={boxes.member}
        address={`member/${cluster}`}
        state={state.state}
        kind={hasReplicas ? text('topology.ready', { ready, desired }) : kind}
        name={cluster}
        lines={<Line>{text.of(state.reason)}</Line>}
        isDashed={isLeaving}
      />
      {hasReplicas && <Pods cluster={cluster} box={boxes.pods} member={member} fill={fill} />}
    </g>
  )
}

/** The squares of a lane are one stop of the Tab key; arrows move between them. */
function Pods({ cluster, box, member, fill }: { cluster: string; box: Box } & Pick<LaneProps, 'member' | 'fill'>) {
  const text = useText()
  const { get, navigate } = useUrlState()
  if (!member.view) return <PodsUnknown box={box} problem={member.problem} />
  const { pods, total } = member.view
  const said = ({ name, status }: PodView): string =>
    text(member.problem === undefined ? 'topology.pod' : 'topology.lastPod', { name, status, cluster })
  const { places, more } = squaresOf(box, Math.max(total, pods.length))
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no fieldset
    <g role="group" aria-label={text('topology.podsIn', { cluster, n: total })} data-testid="lane-pods">
      {places.map(({ x, y }, index) => {
        const pod = pods[index]
        if (!pod) return null
        const address = podAddress(cluster, pod)
        const isOpen = get('node') === address
        const open = () => navigate({ node: address, part: 'logs' })
        return (
          <g
            key={pod.uid}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no button
            role="button"
            tabIndex={index === 0 ? 0 : -1}
            data-pod={pod.name}
            data-mark={pod.mark}
            aria-label={said(pod)}
            className="cursor-pointer"
            onClick={open}
            onKeyDown={(event) => onSquareKey(event, open)}
          >
            <title>{said(pod)}</title>
            {isOpen && (
              <rect
                x={x - 3}
                y={y - 3}
                width={SQUARE + 6}
                height={SQUARE + 6}
                rx={5}
                className="fill-none stroke-focus"
                strokeWidth={2}
              />
            )}
            <PodSquare
              mark={member.problem === undefined ? pod.mark : 'failed'}
              x={x}
              y={y}
              size={SQUARE}
              fill={fill}
            />
          </g>
        )
      })}
      {more > 0 && places.length > 0 && (
        <text x={places.at(-1)!.x + SQUARE + 8} y={places.at(-1)!.y + 15} className="fill-ink-2 text-label">
          {text('topology.more', { n: more })}
        </text>
      )}
      {total === 0 && (
        <text x={box.x} y={box.y + box.height / 2 + 4} className="fill-ink-2 text-label">
          {text('topology.noPods')}
        </text>
      )}
    </g>
  )
}

function onSquareKey(event: KeyboardEvent<SVGGElement>, open: () => void): void {
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    open()
    return
  }
  const { currentTarget: square } = event
  const next =
    event.key === 'ArrowRight'
      ? square.nextElementSibling
      : event.key === 'ArrowLeft'
        ? square.previousElementSibling
        : null
  if (!(next instanceof SVGGElement) || next.getAttribute('role') !== 'button') return
  event.preventDefault()
  next.focus()
}

/** Outlines while they are read; a sentence when they cannot be. */
function PodsUnknown({ box, problem }: { box: Box; problem: string | undefined }) {
  if (problem === undefined) {
    return (
      <rect
        x={box.x + 0.5}
        y={box.y + (box.height - SQUARE) / 2}
        width={SQUARE * 3}
        height={SQUARE}
        rx={3}
        strokeDasharray="3 2"
        className="fill-none stroke-line-strong"
      />
    )
  }
  return (
    <foreignObject {...box}>
      <p
        className="flex h-full items-center text-label font-normal text-ink-2"
        title={problem}
        data-testid="pods-refused"
      >
        <span className="line-clamp-3">{problem}</span>
      </p>
    </foreignObject>
  )
}

/** The clusters where all is well, when there are many. */
export function SharedLane({ cells, boxes }: { cells: readonly CellView[]; boxes: Layout['lanes'][number] }) {
  const text = useText()
  const { tweak } = useUrlState()
  const sum = (of: (cell: CellView) => number): number => cells.reduce((total, cell) => total + of(cell), 0)
  const { work, pods } = boxes
  return (
    <foreignObject x={work.x} y={work.y} width={pods.x - work.x} height={work.height}>
      <button
        type="button"
        onClick={() => tweak({ lanes: 'all' })}
        data-testid="shared-lane"
        className="flex size-full items-center gap-3 rounded-panel border border-double border-line-strong bg-paper px-3 text-left hover:bg-hover"
      >
        <StateGlyph state={cells.every(({ state }) => state.state === 'ok') ? 'ok' : 'warn'} />
        <span className="font-medium">{text('topology.shared', { n: cells.length })}</span>
        <span className="text-ink-2">
          {text('topology.ready', { ready: sum((cell) => cell.ready), desired: sum((cell) => cell.desired) })}
        </span>
      </button>
    </foreignObject>
  )
}
