'use client'
import { useTextures } from '../picture/use-textures'
import type { WorkloadDetailView } from '@/lib/view/model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { PodsTable } from '../pods/pods-table'
import { type InMember, useMemberPods } from '../pods/use-member-pods'
import { closedPart } from '../ui/later-part'
import { Button } from '../ui/button'
import { Switch } from '../pods/view-switch'
import { BindingNode, LaneNodes, OverrideNodes, SharedLane, SourceNodes } from './topology-nodes'
import { edgeOf, type Layout, lanesOf, layoutOf, WIDTH, COLUMNS } from './topology-layout'

const NodeDrawer = closedPart(() => import('./node-drawer').then((code) => code.NodeDrawer))

/** From the template and its policy to the pods, as a picture or as a list of pods; the same addresses open the same drawers. */
export function Topology({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const isAll = get('lanes') === 'all'
  const { own, shared } = lanesOf(workload.cells, isAll)
  const members = useMemberPods(
    workload.id,
    own.map(({ cluster }) => cluster),
  )
  const isList = get('view') === 'pods'
  return (
    <section aria-label={text('topology.title')} data-testid="topology">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-section">{text('topology.title')}</h2>
        <span className="text-ink-2 max-wide:hidden">{text('topology.meaning')}</span>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {(shared.length > 0 || isAll) && (
            <Button small onClick={() => tweak({ lanes: isAll ? undefined : 'all' })}>
              {isAll ? text('topology.group') : text('topology.showAll', { n: workload.cells.length })}
            </Button>
          )}
          <span className="max-wide:hidden">
            <Switch
              label={text('topology.view')}
              value={isList ? 'pods' : 'graph'}
              options={[
                { value: 'graph', label: text('topology.graph') },
                { value: 'pods', label: text('topology.pods') },
              ]}
              onChange={(view) => tweak({ view: view === 'pods' ? view : undefined })}
            />
          </span>
        </span>
      </div>
      {!isList && (
        <div className="overflow-x-auto max-wide:hidden">
          <Picture workload={workload} own={own} shared={shared} members={members} />
        </div>
      )}
      <div className={isList ? undefined : 'wide:hidden'}>
        <PodsTable members={members} hidden={shared.length} />
      </div>
      <NodeDrawer workload={workload} members={members} />
    </section>
  )
}

interface PictureProps extends ReturnType<typeof lanesOf> {
  workload: WorkloadDetailView
  members: ReadonlyMap<string, InMember>
}

const HEADS = ['source', 'binding', 'work', 'member', 'pods'] as const

function Picture({ workload, own, shared, members }: PictureProps) {
  const text = useText()
  const textures = useTextures()
  const overrides = [...new Set(workload.overrides.map(({ policy }) => policy.name))].slice(0, 2)
  const layout = layoutOf(own.length + (shared.length > 0 ? 1 : 0), overrides.length)
  return (
    <svg width={WIDTH} height={layout.height} viewBox={`0 0 ${WIDTH} ${layout.height}`} className="block">
      <title>{text('topology.picture')}</title>
      {textures.defs}
      {HEADS.map((head, index) => (
        <text key={head} x={COLUMNS[index]!.x} y={14} className="fill-ink-2 text-label">
          {head === 'member'
            ? text('topology.head.member', { kind: workload.ref.kind })
            : text(`topology.head.${head}`)}
        </text>
      ))}
      <Edges layout={layout} own={own} />
      <SourceNodes workload={workload} layout={layout} />
      <OverrideNodes names={overrides} boxes={layout.overrides} />
      <BindingNode workload={workload} box={layout.binding} />
      {own.map((cell, index) => (
        <LaneNodes
          key={cell.cluster}
          cell={cell}
          kind={workload.ref.kind}
          hasReplicas={workload.hasReplicas}
          boxes={layout.lanes[index]!}
          member={members.get(cell.cluster) ?? {}}
          fill={textures.fill}
        />
      ))}
      {shared.length > 0 && <SharedLane cells={shared} boxes={layout.lanes[own.length]!} />}
    </svg>
  )
}

function Edges({ layout, own }: { layout: Layout; own: PictureProps['own'] }) {
  const { template, policy, overrides, binding, lanes } = layout
  return (
    <g fill="none" aria-hidden="true">
      {[template, policy].map((box) => (
        <path key={box.y} d={edgeOf(box, binding)} className="stroke-line-strong" />
      ))}
      {overrides.map((box) => (
        <path key={box.y} d={edgeOf(box, binding)} strokeDasharray="4 3" className="stroke-line-strong" />
      ))}
      {lanes.map(({ work, member, pods }, index) => {
        const cell = own[index]
        const state = cell?.state.state
        const line =
          state === 'fail' ? 'stroke-chart-lost' : state === 'active' ? 'stroke-chart-starting' : 'stroke-line-strong'
        const dash = cell && cell.role !== 'placed' ? { strokeDasharray: '4 3' } : {}
        return (
          <g key={work.y} className={line} strokeWidth={state === 'active' || state === 'fail' ? 2 : 1} {...dash}>
            <path d={edgeOf(binding, work)} />
            <path d={edgeOf(work, member)} />
            <path d={edgeOf(member, pods)} />
          </g>
        )
      })}
    </g>
  )
}
