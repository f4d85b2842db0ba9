import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { KubeError, type Status } from './errors'
import { apiVersionOf } from './kind'
import { allKinds } from './kinds'
import type { UnknownObject } from './object'
import { strategyOf } from './strategy'

/** A real server leaves out a reason that is empty. */
type Refusal = Pick<Status, 'code' | 'message' | 'details'> & { reason?: Status['reason'] }

/** A creation as a real API server with Karmada answered it; ids are written `UID`, the server's own metadata is left out. */
interface Creation {
  name: string
  input: UnknownObject
  stored?: object
  refused?: Refusal
}

const text = readFileSync(new URL('testdata/creations.jsonl', import.meta.url), 'utf8')
const creations = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Creation)

function answerTo(input: UnknownObject): Pick<Creation, 'stored' | 'refused'> {
  const kind = allKinds.find((known) => known.kind === input.kind && apiVersionOf(known) === input.apiVersion)!
  const { namespace } = input.metadata
  try {
    const stored = strategyOf(kind).create(input, { namespace, now: '2026-01-01T00:00:00Z', uid: () => 'UID' })
    return { stored: withoutUid(stored) }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    const { code, message, reason, details } = error.status
    return { refused: withoutDecoderWords({ code, message, reason, ...(details && { details }) }) }
  }
}

/** The recorded objects do not carry the server's own fields, which a client sends in vain. */
function withoutUid(object: UnknownObject): object {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** A decoder may word its complaint in its own way. */
function withoutDecoderWords({ message, reason, ...rest }: Refusal): Refusal {
  return { ...rest, message: message.replace(/(json: cannot unmarshal).*/, '$1'), ...(reason && { reason }) }
}

describe('creations come out as a real API server answered them', () => {
  it.each(creations.map((creation) => [creation.name, creation] as const))('%s', (_, { input, stored, refused }) => {
    expect(answerTo(input)).toEqual(stored ? { stored } : { refused: withoutDecoderWords(refused!) })
  })
})
