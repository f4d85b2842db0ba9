/** What no answer of an API server may look like. */
import { decodeObject, MAGIC } from '@/server/apiserver/protobuf/decode'
import type { RawAnswer } from './raw-client'

/** Client errors to which an API server responds with 500, with their texts. */
const UPSTREAM_FAULTS = [
  /^resourceVersion: Invalid value: ".*": strconv\.ParseUint: parsing ".*": invalid syntax$/s,
  /^strconv\.ParseUint: parsing ".*": invalid syntax$/s,
  /^resourceVersion should not be set on objects to be created$/,
  /^Internal error occurred: (failed|admission|error) /,
  /^etcdserver: request is too large$/,
  /^failed to create typed (patch|live) object /,
  /^unknown patch type: .* in map: map\[.*\]$/s,
  /^unable to find api field in struct \w+ for the json field ".*"$/s,
  /^map: map\[.*\] does not contain declared merge key: /s,
  /^The order in patch list:\n/,
  /^merging lists cannot yet be specified in the patch$/,
  /^lists of lists are not supported$/,
  /^list element types are not identical: /,
  /^content is not a list$/,
  /^admission webhook "[^"]*" denied the request: /,
]

/** Returns the problem of a response; undefined if there is none. */
export function complaintAbout({ status, head, body, streams }: RawAnswer, withoutBody: boolean): string | undefined {
  const text = body.toString()
  if (/\n {4}at |node:internal|TypeError|RangeError|ReferenceError/.test(text))
    return 'the answer shows the inside of the server'
  if (!Number.isInteger(status) || status < 200) return 'no answer'
  if (streams || withoutBody || status < 400) return undefined
  if (/^HTTP\/1\.1 \d+ [^\r]*\r\n(?=[^]*content-type: text\/plain)/i.test(head))
    return status < 500 ? undefined : 'a fault as text'
  if (head.includes('application/yaml')) return text.includes('kind: Status') ? undefined : 'no Status'
  return complaintAboutStatus(text.startsWith(MAGIC) ? decodedStatus(body) : parsed(text), status)
}

function complaintAboutStatus(body: Record<string, unknown> | undefined, code: number): string | undefined {
  if (body?.kind !== 'Status' || body.status !== 'Failure') return 'no Status'
  if (body.code !== code || typeof body.message !== 'string') return 'a Status that contradicts itself'
  if (code < 500 && body.message === '') return 'a refusal without a word'
  if (code === 500 && !UPSTREAM_FAULTS.some((fault) => fault.test(body.message as string)))
    return 'a fault of the server'
  return undefined
}

function decodedStatus(body: Buffer): Record<string, unknown> | undefined {
  try {
    return decodeObject(body)
  } catch {
    return undefined
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
