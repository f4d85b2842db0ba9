'use client'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { MemberNodesView, NodeView } from '@/lib/view/member-model'
import { useText } from '../messages/use-text'
import { useRoving } from '../picture/use-roving'
import { useTextures } from '../picture/use-textures'
import { PodSquare } from '../pods/pod-square'
import { StateGlyph } from '../status/state-glyph'
import { densityOf, stateOfNode, stepInGrid, stripColumns } from './node-tiles-model'

const SQUARE = 10
const STEP = 13
const PER_ROW = 8
const MAX_SQUARES = 24

/** The nodes of a cluster with their pods; many nodes lose their words, very many become a strip. */
export function NodeTiles({ view }: { view: MemberNodesView }) {
  const text = useText()
  const { nodes, totals, pending } = view
  const density = densityOf(nodes.length)
  const roving = useRoving(nodes.length)
  return (
    <section aria-label={text('clusterPage.nodes')} data-testid="nodes">
      <div className="mb-2 flex flex-wrap items-center gap-x-3">
        <h2 className="text-section">{text('clusterPage.nodes')}</h2>
        <span className="text-ink-2" data-testid="nodes-sum">
          {text('clusterPage.nodesSum', { nodes: totals.nodes, pods: totals.pods })}
        </span>
        {pending > 0 && <span>{text('clusterPage.pending', { n: pending })}</span>}
      </div>
      {nodes.length === 0 && <p className="text-ink-2">{text('clusterPage.noNodes')}</p>}
      {density === 'tiles' && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))] gap-2">
          {nodes.map((node, index) => (
            <Tile key={node.name} node={node} focus={roving.propsOf(index)} />
          ))}
        </ul>
      )}
      {density !== 'tiles' && <Dense nodes={nodes} size={density === 'small' ? 20 : 6} />}
    </section>
  )
}

const BORDERS = {
  ok: 'border-line-strong',
  warn: 'border-2 border-warn',
  held: 'border-2 border-held',
  fail: 'border-2 border-fail hatch-lost',
}

function useSentence() {
  const text = useText()
  return (node: NodeView): string =>
    text('clusterPage.node', {
      name: node.name,
      state: stateOfNode(node),
      share: { share: shareOf(node) },
      pods: node.pods.length,
    })
}

const shareOf = ({ cpu }: NodeView): number => (cpu.allocatable > 0 ? cpu.requested / cpu.allocatable : 0)

type Focus = ReturnType<ReturnType<typeof useRoving>['propsOf']>

function Tile({ node, focus }: { node: NodeView; focus: Focus }) {
  const text = useText()
  const textures = useTextures()
  const sentence = useSentence()(node)
  const state = stateOfNode(node)
  const share = shareOf(node)
  const shown = node.pods.slice(0, MAX_SQUARES)
  const rows = Math.max(1, Math.ceil(shown.length / PER_ROW))
  return (
    <li
      title={sentence}
      aria-label={sentence}
      {...focus}
      data-testid="node"
      data-node={node.name}
      data-state={state}
      data-pods={node.pods.length}
      className={clsx('flex min-w-0 flex-col gap-1 rounded-panel border px-2 py-1.5', BORDERS[state])}
    >
      <p className="flex items-center gap-1.5 text-label">
        {state !== 'ok' && <StateGlyph state={state} size={10} />}
        <span className="min-w-0 grow truncate">{node.name}</span>
        <span className={share > 0.95 ? 'font-semibold' : 'text-ink-2'}>{text.format.percent(share, 1)}</span>
      </p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-1 w-full" aria-hidden="true">
        <rect width="100" height="4" className="fill-sunken" />
        <rect width={Math.min(100, share * 100)} height="4" className={share > 0.95 ? 'fill-warn' : 'fill-amount-5'} />
      </svg>
      <svg width={PER_ROW * STEP} height={rows * STEP} aria-hidden="true">
        {textures.defs}
        {shown.map((pod, index) => (
          <PodSquare
            key={`${pod.namespace}/${pod.name}`}
            mark={pod.mark}
            x={(index % PER_ROW) * STEP}
            y={Math.floor(index / PER_ROW) * STEP}
            size={SQUARE}
            fill={textures.fill}
          />
        ))}
      </svg>
      <p className="mt-auto text-label font-normal text-ink-2">
        {text('clusterPage.podsOnNode', { n: node.pods.length })}
        {state === 'held' && ` · ${text('clusterPage.cordoned')}`}
      </p>
    </li>
  )
}

/** One SVG for all: a square per node, filled as far as its CPU is requested. */
function Dense({ nodes, size }: { nodes: readonly NodeView[]; size: number }) {
  const text = useText()
  const textures = useTextures()
  const sentence = useSentence()
  const columns = stripColumns(nodes.length, size)
  const step = size + 2
  const width = columns * step
  const height = Math.ceil(nodes.length / columns) * step
  const troubled = nodes.filter((node) => stateOfNode(node) !== 'ok')
  const roving = useRoving(nodes.length, stepInGrid(nodes.length, columns))
  const [shown, setShown] = useState<string>()
  return (
    <>
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no fieldset
        role="group"
        aria-label={text('clusterPage.nodesPicture', { n: nodes.length, troubled: troubled.length })}
        onPointerLeave={() => setShown(undefined)}
        viewBox={`0 0 ${width} ${height}`}
        className="w-full"
        data-testid="nodes-dense"
      >
        {textures.defs}
        {nodes.map((node, index) => (
          <DenseNode
            key={node.name}
            node={node}
            x={(index % columns) * step}
            y={Math.floor(index / columns) * step}
            size={size}
            fill={textures.fill}
            sentence={sentence(node)}
            focus={roving.propsOf(index, () => setShown(sentence(node)))}
            onPoint={setShown}
          />
        ))}
      </svg>
      {/* Reserves its space, so that the layout does not shift when text appears. */}
      <p aria-hidden="true" className="min-h-5 truncate text-label">
        {shown}
      </p>
      <ul className="mt-2 columns-2 text-label" data-testid="nodes-troubled">
        {troubled.slice(0, 40).map((node) => (
          <li key={node.name} className="flex items-center gap-1.5">
            <StateGlyph state={stateOfNode(node)} size={10} />
            <span className="truncate">{sentence(node)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

interface DenseNodeProps {
  node: NodeView
  x: number
  y: number
  size: number
  fill: ReturnType<typeof useTextures>['fill']
  sentence: string
  focus: Focus
  onPoint: (sentence: string) => void
}

function DenseNode({ node, x, y, size, fill, sentence, focus, onPoint }: DenseNodeProps) {
  const state = stateOfNode(node)
  const filled = Math.min(1, shareOf(node)) * size
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here
    <g role="img" aria-label={sentence} onPointerEnter={() => onPoint(sentence)} {...focus}>
      <rect x={x} y={y} width={size} height={size} className="fill-sunken" />
      {state === 'fail' || state === 'held' ? (
        <rect x={x} y={y} width={size} height={size} fill={fill(state === 'fail' ? 'lost' : 'held')} />
      ) : (
        <rect
          x={x}
          y={y + size - filled}
          width={size}
          height={filled}
          className={state === 'warn' ? 'fill-warn' : 'fill-amount-5'}
        />
      )}
    </g>
  )
}
