/** The result of a rehearsal for people at a terminal, and for programs. */
import type { AssertionVerdict } from '@/lib/domain/rehearsal/judge'
import { omissionMessage, proofMessage } from '@/lib/domain/twin'
import type { Text } from '@/lib/messages'
import { lineOf } from './junit'
import type { Rehearsal } from './rehearse'
import type { Happening } from './timeline'

/** Breaches of an assertion that are shown at a terminal. */
const SHOWN = 5

export function reportOf({ scenario, fleet, verdict, figures }: Rehearsal, text: Text): string {
  const { clusters, workloads, incompleteBefore, proof } = fleet
  const failed = verdict.assertions.filter(({ passed }) => !passed).length
  return [
    text('rehearsal.result.fleet', { name: scenario.name, clusters, workloads, settled: { ms: figures.settledMs } }),
    ...(proof ? [text.of(proofMessage(proof))] : []),
    ...(incompleteBefore.length > 0 ? [text('rehearsal.result.incomplete', { count: incompleteBefore.length })] : []),
    ...verdict.assertions.flatMap((assertion) => assertionLines(assertion, text)),
    text('rehearsal.result.verdict', { passed: verdict.assertions.length - failed, failed }),
    '',
  ].join('\n')
}

function assertionLines({ name, passed, judged, breaches, evidence }: AssertionVerdict, text: Text): string[] {
  if (passed) return [text('rehearsal.result.passed', { name, judged })]
  const more = breaches - Math.min(SHOWN, evidence.length)
  return [
    text('rehearsal.result.failed', { name, breaches }),
    ...evidence.slice(0, SHOWN).map((one) => `  ${lineOf(one, text)}`),
    ...(more > 0 ? [`  ${text('rehearsal.result.more', { count: more })}`] : []),
  ]
}

/** Messages as sentences, with their codes beside them. */
export function jsonOf({ verdict, timeline, fleet, ...rest }: Rehearsal, text: Text): object {
  const { omissions, ...counts } = fleet
  return {
    ...rest,
    fleet: { ...counts, ...(omissions && { omissions: omissions.map((one) => text.of(omissionMessage(one))) }) },
    passed: verdict.passed,
    assertions: verdict.assertions.map(({ evidence, ...assertion }) => ({
      ...assertion,
      evidence: evidence.map(({ message, ...one }) => ({ ...one, code: message.code, text: text.of(message) })),
    })),
    timeline: timeline.map(({ message, ...happening }: Happening) => ({ ...happening, text: text.of(message) })),
  }
}
