/** A verdict as JUnit writes it, which CI systems show: one test case for each assertion. */
import { escapeMarkup } from '@/lib/std/markup'
import type { Text } from '@/lib/messages'
import type { AssertionVerdict, Evidence } from '@/lib/domain/rehearsal/judge'
import type { Rehearsal } from './rehearse'

export function junitOf({ scenario, verdict }: Rehearsal, text: Text): string {
  const failures = verdict.assertions.filter(({ passed }) => !passed).length
  const counts = `tests="${verdict.assertions.length}" failures="${failures}" errors="0" skipped="0"`
  const name = quoted(scenario.name)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name=${name} ${counts} time="${scenario.durationMs / 1000}">`,
    ...verdict.assertions.flatMap((assertion) => caseOf(assertion, name, text)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseOf(assertion: AssertionVerdict, suite: string, text: Text): string[] {
  const begin = `    <testcase classname=${suite} name=${quoted(assertion.name)}`
  if (assertion.passed) return [`${begin}/>`]
  const { breaches, evidence } = assertion
  const lines = evidence.map((one) => escaped(lineOf(one, text)))
  return [
    `${begin}>`,
    `      <failure type="${assertion.kind}" message=${quoted(text('rehearsal.result.breaches', { breaches }))}>`,
    ...lines,
    '      </failure>',
    '    </testcase>',
  ]
}

/** A breach in one line. */
export function lineOf({ workload, cluster = '', atMs, message }: Evidence, text: Text): string {
  const subject = workload ? `${workload.kind} ${workload.namespace}/${workload.name}` : cluster
  return text('rehearsal.result.line', { time: { ms: atMs }, subject, message })
}

const quoted = (words: string): string => `"${escaped(words)}"`

/** What XML cannot carry at all is replaced. */
const escaped = (words: string): string =>
  escapeMarkup(words.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}'))
