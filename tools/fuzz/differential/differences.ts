/** Which differences are the same one: the kind of request, and what differs, without the names and numbers. */
import type { RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import type { Difference } from './play'

/** A key that stays the same for other kinds and names. */
export function classOf(difference: Difference): string {
  return `${verbOf(difference.step)} ${general(described(difference)).slice(0, LONGEST)}`
}

/** Longer ones are cut off where they are shown, in another place for each length of a name. */
const LONGEST = 200

function verbOf({ op, request }: RecordedStep): string {
  if (op === 'watch') return 'WATCH'
  const type = request?.headers?.['Content-Type']
  const patch =
    request?.method === 'PATCH' && typeof type === 'string' ? ` ${/[^/]*\/(\w+)/.exec(type)?.[1] ?? ''}` : ''
  return `${request?.method ?? op ?? ''}${patch}`
}

/** What differs: the place and both texts, or the two codes and what the reference says to its own. */
function described({ step, what, texts }: Difference): string {
  const [status] = /^: status \d+ instead of \d+/.exec(what) ?? []
  if (status !== undefined) {
    const { message } = (step.response?.body ?? {}) as { message?: unknown }
    return `${status.replaceAll(/\d+/g, (code) => `_${code}`)} ${typeof message === 'string' ? message : ''}`
  }
  return texts ? `${what.slice(0, what.indexOf(':'))}: ${differingParts(...texts).join(' instead of ')}` : what
}

/** Two texts without what they begin with alike. */
function differingParts(found: string, expected: string): [string, string] {
  const [one, other] = [general(found), general(expected)]
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = Math.max(0, same - 40)
  return [one.slice(from, from + LONGEST / 2), other.slice(from, from + LONGEST / 2)]
}

/** What `run.ts` makes names unique with: another one each time. */
const UNIQUE_PART = /(?<=\b(?:ex-)?|\bg)z[0-9a-z]{6,}\b/g

function general(what: string): string {
  return what
    .replaceAll(/\{\{[^}]*\}\}/g, '_')
    .replaceAll(UNIQUE_PART, '_')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '_')
    .replaceAll(/\/\d+/g, '/N')
    .replaceAll(/\[\d+\]/g, '[N]')
    .replaceAll(/\bex-\w+/g, 'ns')
    .replaceAll(/\b\d+\b/g, 'N')
    .replaceAll(/a{20,}|x{20,}/g, 'aaa…')
}
