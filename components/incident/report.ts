/** Report of an incident for a post-mortem: one self-contained HTML file, or Markdown, with the same content. */
import type { Text } from '@/lib/messages'
import { isoTime, type EpochMs } from '@/lib/std/clock'
import { endOf } from '@/lib/view/incident/layout'
import { workloadsAt } from '@/lib/view/incident/outcome'
import type { Replay } from '@/lib/view/incident/replay'
import { PHASES } from '@/lib/view/incident/state'
import { nameOfId } from '@/lib/view/workload-id'
import { escapeMarkup } from '@/lib/std/markup'
import { pictureOf } from './report-picture'
import { headlineOf, summaryOf, titleOf } from './words'

interface Grid {
  title: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

interface Report {
  title: string
  made: string
  summary: readonly string[]
  grids: readonly Grid[]
}

/** Collects the content of the report as unescaped text. */
function reportOf(text: Text, replay: Replay, now: EpochMs): Report {
  return {
    title: text('incident.report.title', { title: titleOf(text, replay) }),
    made: text('incident.report.made', { moment: { moment: isoTime(now) } }),
    summary: [headlineOf(text, replay, { at: undefined }), ...summaryOf(text, replay, now)],
    grids: [timelineOf(text, replay), clustersOf(text, replay), workloadsOf(text, replay)],
  }
}

function timelineOf(text: Text, { milestones, gaps, since }: Replay): Grid {
  const events = [
    ...milestones.map(({ kind, at }) => ({ at, words: text(`incident.mark.${kind}`) })),
    ...gaps.map(({ from, to }) => ({ at: from, words: text('incident.report.gap', { to: { time: isoTime(to) } }) })),
  ].sort((a, b) => a.at - b.at)
  return {
    title: text('incident.report.timeline'),
    head: [text('incident.report.time'), text('incident.report.after'), text('incident.report.event')],
    rows: events.map(({ at, words }) => [
      text.format.moment(isoTime(at)),
      text.format.duration(Math.max(0, at - since)),
      words,
    ]),
  }
}

function clustersOf(text: Text, replay: Replay): Grid {
  const end = endOf(replay)
  const { count, delta } = text.format
  return {
    title: text('incident.report.clusters'),
    head: [
      text('incident.table.cluster'),
      text('incident.table.before'),
      text('incident.table.ready'),
      'Δ',
      text('incident.table.starting'),
      text('incident.table.lost'),
    ],
    rows: [...replay.lanes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([cluster, steps]) => {
        const before = replay.before.get(cluster) ?? 0
        const { ready, starting, lost } = steps.at(end) ?? { ready: before, starting: 0, lost: 0 }
        return [cluster, count(before), count(ready), delta(ready - before), count(starting), count(lost)]
      }),
  }
}

function workloadsOf(text: Text, replay: Replay): Grid {
  const groups = workloadsAt(replay, endOf(replay))
  return {
    title: text('incident.report.workloads'),
    head: [
      text('incident.table.workload'),
      text('incident.table.phase'),
      text('incident.table.ready'),
      text('incident.report.recoveredIn'),
      text('incident.table.reason'),
    ],
    rows: PHASES.flatMap((phase) => groups.get(phase) ?? []).map(({ id, status, since }) => [
      nameOfId(id),
      text(`incident.phase.${status.phase}`),
      text('incident.table.ofDesired', { ready: status.ready, desired: status.desired }),
      status.phase === 'recovered' ? text.format.duration(since - replay.since) : '—',
      status.phase === 'unplaced' ? (replay.refusals.get(id) ?? '') : '',
    ]),
  }
}

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;color:#1c2024;background:#fff;max-width:1000px;margin:2rem auto;padding:0 1rem}h1{font-size:24px}h2{font-size:16px;margin-top:2rem}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #d9d9e0;padding:4px 8px 4px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}svg{width:100%;height:auto}.made{color:#5a5f68}@media print{body{margin:0}tr{break-inside:avoid}}'

/** Renders one HTML file without scripts or external resources; names are escaped. */
export function htmlReport(text: Text, replay: Replay, now: EpochMs): string {
  const { title, made, summary, grids } = reportOf(text, replay, now)
  const tables = grids.map(
    (grid) =>
      `<h2>${escapeMarkup(grid.title)}</h2><table><thead><tr>${grid.head.map((cell) => `<th>${escapeMarkup(cell)}</th>`).join('')}</tr></thead><tbody>${grid.rows
        .map((row) => `<tr>${row.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`)
        .join('\n')}</tbody></table>`,
  )
  return `<!doctype html>
<html lang="${text.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeMarkup(title)}</h1><p class="made">${escapeMarkup(made)}</p><h2>${escapeMarkup(text('incident.report.summary'))}</h2>${summary
    .map((sentence) => `<p>${escapeMarkup(sentence)}</p>`)
    .join('')}${pictureOf(text, replay)}${tables.join('')}</body></html>
`
}

/** The same without the picture, for an issue or a wiki. */
export function markdownReport(text: Text, replay: Replay, now: EpochMs): string {
  const { title, made, summary, grids } = reportOf(text, replay, now)
  const parts = [
    `# ${inline(title)}`,
    inline(made),
    `## ${text('incident.report.summary')}`,
    ...summary.map(inline),
    ...grids.flatMap(({ title: heading, head, rows }) => [
      `## ${inline(heading)}`,
      [rowOf(head), rowOf(head.map(() => '---')), ...rows.map((row) => rowOf(row.map(inline)))].join('\n'),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Markdown runs HTML: what could be markup of either is escaped, and a line stays a line. */
const inline = (text: string): string =>
  escapeMarkup(text.replaceAll(/\s*\n\s*/g, ' ')).replaceAll(/[\\`*_[\]|#!~]/g, (mark) => `\\${mark}`)
