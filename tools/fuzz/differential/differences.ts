/** Which differences are the same one: the kind of request, and what differs, without the names and numbers. */
import type { RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import type { Difference } from './play'

/** A key that stays the same for other kinds and names. */
export function classOf({ step, what }: Difference): string {
  return `${verbOf(step)} ${general(what)}`
}

function verbOf({ op, request }: RecordedStep): string {
  if (op === 'watch') return 'WATCH'
  const type = request?.headers?.['Content-Type']
  const patch =
    request?.method === 'PATCH' && typeof type === 'string' ? ` ${/[^/]*\/(\w+)/.exec(type)?.[1] ?? ''}` : ''
  return `${request?.method ?? op ?? ''}${patch}`
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
    .slice(0, 260)
}
