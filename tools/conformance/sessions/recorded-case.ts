/** The form of recorded sessions with a real API server. */

export interface RecordedRequest {
  method: string
  path: string
  query?: Record<string, string | number | boolean>
  /** Null: not sent at all; a list: sent once for each value. */
  headers?: Record<string, string | string[] | null>
  user?: 'viewer' | 'anonymous' | 'badtoken'
  body?: unknown
  rawBody?: string
  /** Bytes that are no text. */
  base64Body?: string
}

export interface RecordedResponse {
  status: number
  headers?: Record<string, string | string[]>
  body?: unknown
  text?: string
  lines?: boolean
  bodyParts?: Record<string, unknown>
  bodyPick?: unknown[]
  bodyShape?: unknown
  events?: { type: string; object: unknown }[] | undefined
  /** The side that ended a watch. */
  end?: string
  /** Whether the awaited condition was reached. */
  reached?: boolean
}

export interface RecordedStep {
  id: string
  op?: 'await' | 'sleep' | 'watch'
  setup?: boolean
  request?: RecordedRequest
  response?: RecordedResponse
  capture?: Record<string, string>
  keepManagedFields?: boolean
  unstable?: string[]
  until?: {
    status?: number
    pointer?: string
    equals?: unknown
    where?: { list: string; match: Record<string, unknown> }
  }
  timeout?: number
  seconds?: number
  during?: RecordedStep[]
  maxSeconds?: number
  stopAfter?: number
  pick?: { list: string; where: Record<string, unknown[]> }
}

export interface RecordedCase {
  name: string
  topic: string
  needs?: string | string[]
  steps: RecordedStep[]
}

/** The parts of a control plane that a recording needs and a server lacks; a server without a list has them all. */
export function missingParts(needs: RecordedCase['needs'], parts: readonly string[] | undefined): string[] {
  return parts ? [needs ?? []].flat().filter((part) => !parts.includes(part)) : []
}

/** The value at a JSON pointer; undefined when there is none. */
export function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      return typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined
    }, value)
}
