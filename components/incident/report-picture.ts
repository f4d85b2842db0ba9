/** The swimlanes as one SVG text without scripts, styles from elsewhere or links: it reads in print and in greyscale. */
import type { Text } from '@/lib/messages'
import { isoTime } from '@/lib/std/clock'
import { escapeMarkup } from '@/lib/std/markup'
import {
  type Area,
  areaPath,
  type Axis,
  axisOf,
  endOf,
  gained,
  type LaneRow,
  laneRows,
  linePath,
  mostIn,
  placeOn,
  stagesOf,
  ticksOf,
} from '@/lib/view/incident/layout'
import type { Replay } from '@/lib/view/incident/replay'
import type { LaneCounts } from '@/lib/view/incident/state'
import { gainWords } from './words'

const LABELS = 170
const CHART = 640
const FIGURES = 170
const WIDTH = LABELS + CHART + FIGURES
const LANE = 40
const MAX_LANES = 12
const MAX_NAME_LENGTH = 24

const cut = (name: string): string => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name)

/** The picture of the whole incident. */
export function pictureOf(text: Text, replay: Replay): string {
  const axis = axisOf(replay)
  const { failed, targets } = laneRows(replay, MAX_LANES)
  const shared = mostIn(targets.map(gained))
  const rows = [...(failed ? [failed] : []), ...targets]
  const height = 34 + rows.length * LANE + 24
  const lanes = rows.map((row, index) =>
    laneOf(text, {
      replay,
      axis,
      row,
      isFailed: row === failed,
      most: row === failed ? mostIn([row]) : shared,
      top: 34 + index * LANE,
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeMarkup(text('incident.lanes.label'))}" font-family="system-ui, sans-serif" font-size="12">${PATTERNS}${stripOf(text, replay, axis)}${lanes.join('')}${axisLabels(text, axis, height)}</svg>`
}

const PATTERNS =
  '<defs><pattern id="starting" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#e9f1fa"/><path d="M2.5 0v5" stroke="#1a87e8" stroke-width="2.4"/></pattern><pattern id="lost" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fbe9e6"/><path d="M3 0v6" stroke="#96190c"/></pattern></defs>'

function stripOf(text: Text, replay: Replay, axis: Axis): string {
  const x = placeOn(axis, CHART)
  const stages = stagesOf(replay, axis).map(({ phase, from, to }) => {
    const [left, width] = [LABELS + x(from), x(to) - x(from)]
    const name = text(`incident.stage.${phase}`)
    const label = width > name.length * 7 + 8 ? `<text x="${left + 4}" y="18">${escapeMarkup(name)}</text>` : ''
    const sentence = text('incident.stage.span', {
      stage: name,
      from: { time: isoTime(from) },
      to: { time: isoTime(to) },
    })
    return `<g><title>${escapeMarkup(sentence)}</title><rect x="${left}" y="2" width="${Math.max(width, 1)}" height="22" fill="#f7f7f9" stroke="#7f848e"/>${label}</g>`
  })
  return `<text x="0" y="18" font-weight="600">${escapeMarkup(text('incident.stage.label'))}</text>${stages.join('')}`
}

interface Lane {
  replay: Replay
  axis: Axis
  row: LaneRow
  isFailed: boolean
  most: number
  top: number
}

function laneOf(text: Text, { replay, axis, row, isFailed, most, top }: Lane): string {
  const { cluster, clusters, steps, before } = row
  const drawn = isFailed ? row : gained(row)
  const frame = { axis, width: CHART, height: LANE - 6, most, until: endOf(replay) }
  const area = (lower: (value: LaneCounts) => number, upper: (value: LaneCounts) => number): Area<LaneCounts> => ({
    steps: drawn.steps,
    before: { ready: drawn.before, starting: 0, lost: 0 },
    lower,
    upper,
  })
  const live = ({ ready, starting }: LaneCounts): number => ready + starting
  const all = (counts: LaneCounts): number => live(counts) + counts.lost
  const ready = ({ ready: count }: LaneCounts): number => count
  const none = (): number => 0
  const name = cluster ?? text('incident.lanes.rest', { n: clusters })
  const last = steps.last() ?? { ready: before, starting: 0, lost: 0 }
  const x = placeOn(axis, CHART)
  const gaps = replay.gaps.map(
    ({ from, to }) =>
      `<rect x="${x(from)}" width="${Math.max(2, x(to) - x(from))}" height="${LANE - 6}" fill="#eeeef2" stroke="#5a5f68" stroke-dasharray="3 3"/>`,
  )
  return `<g><title>${escapeMarkup(text('incident.lanes.sentence', { cluster: name, ...last, before, known: 'yes' }))}</title>
<text x="0" y="${top + 16}" font-weight="600">${escapeMarkup(cut(name))}</text>${isFailed ? `<text x="0" y="${top + 31}" font-size="11" fill="#5a5f68">${escapeMarkup(text('incident.lanes.ownScale', { most }))}</text>` : ''}
<svg x="${LABELS}" y="${top + 3}" width="${CHART}" height="${LANE - 6}"><path d="${areaPath(area(none, ready), frame)}" fill="${isFailed ? '#a7c8ea' : '#246cad'}"/><path d="${areaPath(area(ready, live), frame)}" fill="url(#starting)"/><path d="${areaPath(area(live, all), frame)}" fill="url(#lost)"/><path d="${linePath(area(none, all), frame)}" fill="none" stroke="${isFailed ? '#96190c' : '#1a87e8'}" stroke-width="1.5"/>${gaps.join('')}</svg>
<text x="${LABELS + CHART + 10}" y="${top + 22}" font-weight="600">${escapeMarkup(gainWords(text, last.ready - before))}</text><path d="M0 ${top + LANE - 1}H${WIDTH}" stroke="#d9d9e0"/></g>`
}

function axisLabels(text: Text, axis: Axis, height: number): string {
  const x = placeOn(axis, CHART)
  return ticksOf(axis, 7)
    .map((at) => {
      const place = Math.min(Math.max(LABELS + x(at), LABELS + 26), LABELS + CHART - 26)
      return `<text x="${place}" y="${height - 8}" text-anchor="middle" font-size="11" fill="#5a5f68">${escapeMarkup(text.format.timeOfDay(isoTime(at)))}</text>`
    })
    .join('')
}
