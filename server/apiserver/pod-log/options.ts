/** The query of a log request, with the refusals of kube-apiserver (ValidatePodLogOptions). */
import type { StatusCause } from '@/lib/kube/errors'
import { type FieldError, forbiddenField, invalidField } from '@/lib/kube/field-error'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { badRequest, invalid } from '../failures'
import { booleanOf, integerOf } from '../query'

export interface LogOptions {
  /** Empty: the only container. */
  container: string
  follow: boolean
  previous: boolean
  timestamps: boolean
  tailLines: number | undefined
  limitBytes: number | undefined
  /** Lines before this moment are left out. */
  since: EpochMs | undefined
}

/**
 * Parses the log options of the pod `name`. Throws 400 for values that cannot be parsed, and 422 for values that are
 * not allowed.
 */
export function logOptionsOf(query: URLSearchParams, name: string, now: EpochMs): LogOptions {
  const tailLines = integerOf(query, 'tailLines')
  const limitBytes = integerOf(query, 'limitBytes')
  const sinceSeconds = integerOf(query, 'sinceSeconds')
  const sinceTime = timeOf(query.get('sinceTime'))
  const causes = findings({ tailLines, limitBytes, sinceSeconds, sinceTime, stream: query.get('stream') })
  if (causes.length > 0) throw invalid({ group: '', word: 'PodLogOptions', name }, causes)
  return {
    container: query.get('container') ?? '',
    follow: booleanOf(query, 'follow') === true,
    previous: booleanOf(query, 'previous') === true,
    timestamps: booleanOf(query, 'timestamps') === true,
    tailLines,
    limitBytes,
    since: sinceTime ?? (sinceSeconds === undefined ? undefined : now - sinceSeconds * 1000),
  }
}

interface Given {
  tailLines: number | undefined
  limitBytes: number | undefined
  sinceSeconds: number | undefined
  sinceTime: EpochMs | undefined
  stream: string | null
}

function findings({ tailLines, limitBytes, sinceSeconds, sinceTime, stream }: Given): StatusCause[] {
  const found: FieldError[] = []
  if (tailLines !== undefined && tailLines < 0) {
    found.push(invalidField('tailLines', tailLines, 'must be greater than or equal to 0'))
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    found.push(invalidField('limitBytes', limitBytes, 'must be greater than 0'))
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    found.push(forbiddenField('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    found.push(invalidField('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  }
  if (stream) found.push(forbiddenField('stream', 'may not be specified'))
  return found
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function timeOf(text: string | null): EpochMs | undefined {
  if (text === null || text === '' || text === 'null') return undefined
  const at = RFC3339.test(text) ? parseTime(text) : NaN
  if (!Number.isNaN(at)) return at
  const value = JSON.stringify(text)
  throw badRequest(`parsing time ${value} as "2006-01-02T15:04:05Z07:00": cannot parse ${value} as "2006"`)
}
