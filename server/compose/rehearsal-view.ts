/** Converts the result of a rehearsal to its view: lists are limited, and facts become messages. */
import { keptPercent, omissionMessage, type TwinExport } from '@/lib/domain/twin'
import type { WorkloadId } from '@/lib/domain/rehearsal/record'
import { parseTime } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import type { RehearsalRecordingView, RehearsalResultView } from '@/lib/view/rehearsal-model'
import type { Rehearsal } from '@/server/rehearsal/rehearse'

/** Maximum entries of a list in the view; further ones are only counted. */
const LISTED = 200
const MAX_EVIDENCE = 50
const MAX_MOVES = 1000

export function resultView(
  { fleet, verdict, timeline, moves, course, loads, figures, startedAt }: Rehearsal,
  { incidents, plans }: RehearsalRecordingView,
  { source, takenAt }: TwinExport['metadata'],
): RehearsalResultView {
  const proof = fleet.proof ?? { workloads: 0, kept: 0, moved: [], notCompared: 0 }
  return {
    takenAt,
    source,
    clusters: fleet.clusters,
    workloads: fleet.workloads,
    settledMs: figures.settledMs,
    incomplete: { count: fleet.incompleteBefore.length, names: fleet.incompleteBefore.slice(0, LISTED).map(nameOf) },
    proof: {
      workloads: proof.workloads,
      kept: proof.kept,
      percent: keptPercent(proof),
      notCompared: proof.notCompared,
      moved: proof.moved.slice(0, LISTED).map((one) => omit(one, 'before', 'after')),
    },
    omissions: (fleet.omissions ?? []).map(omissionMessage),
    assertions: verdict.assertions.map(({ evidence, ...assertion }) => ({
      ...assertion,
      evidence: evidence.slice(0, MAX_EVIDENCE).map((one) => ({ ...one })),
    })),
    steps: timeline.flatMap(({ step, atMs, message }) => (step === undefined ? [] : [{ step, atMs, message }])),
    course: course.map(({ cluster, points }) => ({ cluster, points: [...points] })),
    loads: loads.map((load) => ({ ...load })),
    moves: moves
      .slice(0, MAX_MOVES)
      .map(({ workload, before, after }) => ({ workload, before: [...before], after: [...after] })),
    movesTotal: moves.length,
    incidents: incidents.map(({ cluster = '', workload, since }) => ({
      cluster,
      ...(workload !== undefined && { workload }),
      atMs: parseTime(since) - startedAt,
    })),
    plans: plans.map(({ plan: { name, phase } }) => ({ name, phase })),
  }
}

const nameOf = ({ namespace, name }: WorkloadId): string => `${namespace}/${name}`
