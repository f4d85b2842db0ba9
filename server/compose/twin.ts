/** Builds the twin of `--twin-of` in the embedded control plane, before its controllers run. */
import { randomUUID } from 'node:crypto'
import {
  keptPercent,
  type MovedWorkload,
  type Omission,
  omissionMessage,
  proofMessage,
  type TwinExport,
  type TwinProof,
} from '@/lib/domain/twin'
import type { Text } from '@/lib/messages'
import { keyOf } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import type { AboutView } from '@/lib/view/model'
import type { Config } from '@/server/config/config'
import { systemClock } from '@/server/runtime/system-clock'
import { isExportFile, readExport, seedControlPlane, type SeededTwin, takeExport } from '@/server/twin'
import { schedulerGates } from './all-controllers'
import type { ControlPlane } from './control-plane'

/** State of the twin that this process shows. */
export interface Twin {
  source: string
  takenAt: string
  anonymised: boolean
  omissions: readonly Omission[]
  proof: TwinProof
  counts: SeededTwin['counts']
}

/** Undefined without `--twin-of`. Before anything is created: rejects with a TwinError if the source cannot be read. */
export async function readTwinSource({ twinOf, proxies }: Config): Promise<TwinExport | undefined> {
  if (!twinOf) return undefined
  const { file, context } = twinOf
  if (await isExportFile(file)) return readExport(file)
  return takeExport({ kubeconfig: file, context, proxies, now: systemClock.now() })
}

/** Fills the embedded control plane, whose controllers must not run yet. */
export async function buildTwin(taken: TwinExport, config: Config, plane: ControlPlane): Promise<Twin | undefined> {
  const { compatibility, gates } = config
  if (!plane.restore) return undefined
  const profile = { ...compatibility.scheduler.profile, ...schedulerGates(gates) }
  const seeded = await seedControlPlane({ transport: plane.transport, restore: plane.restore }, taken, {
    now: systemClock.now(),
    uid: randomUUID,
    profile,
  })
  const { source, takenAt, anonymised } = taken.metadata
  return { source, takenAt, anonymised, ...seeded }
}

/** Maximum number of moved workloads printed to the terminal. */
const SHOWN = 10

/** Describes the twin for the terminal. */
export function twinLines(text: Text, { source, takenAt, omissions, proof, counts }: Twin): string {
  const { clusters, bindings, pods } = counts
  const moved = proof.moved.slice(0, SHOWN)
  const more = proof.moved.length - moved.length
  const lines = [
    text('twin.start.built', { source, at: { moment: takenAt }, clusters, bindings, pods }),
    text.of(proofMessage(proof)),
    ...(moved.length > 0 ? [text('twin.start.placed'), ...moved.map((one) => `  ${workloadLine(text, one)}`)] : []),
    ...(more > 0 ? [`  ${text('twin.start.more', { n: more })}`] : []),
    ...(omissions.length > 0
      ? [text('twin.cli.omissions'), ...omissions.map((omission) => `  ${text.of(omissionMessage(omission))}`)]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function workloadLine(text: Text, { kind, namespace, name, reason }: MovedWorkload): string {
  const workload = `${kind} ${keyOf({ name, ...(namespace !== undefined && { namespace }) })}`
  return text('twin.start.workload', { workload, reason: typeof reason === 'string' ? reason : text.of(reason) })
}

type TwinView = NonNullable<AboutView['twin']>

/** Maximum number of moved workloads shown on pages. */
const LISTED = 200

/** Converts the twin to its view. */
export function twinView({ source, takenAt, anonymised, omissions, proof, counts }: Twin): TwinView {
  const { workloads, kept, notCompared } = proof
  return {
    source,
    takenAt,
    anonymised,
    counts,
    proof: {
      workloads,
      kept,
      percent: keptPercent(proof),
      notCompared,
      moved: proof.moved.slice(0, LISTED).map((one) => omit(one, 'before', 'after')),
    },
    omissions: omissions.map(omissionMessage),
  }
}
