/** Pages of long lists. The order is by id, so that an item that exists throughout appears exactly once. */
import { z } from 'zod'
import { described } from '@/lib/view/described'
import { fieldProblem } from './input'
import { refuse } from './refusal'

const MOST = 500

/** The parameters of every list. */
export const pageParameters = {
  limit: z.coerce.number().int().min(1).max(MOST).default(100).meta(described('api.document.pageLimit')),
  continue: z.string().max(2048).optional().meta(described('api.document.continue')),
}

export interface Page<T> {
  items: T[]
  /** Absent on the last page. */
  continue?: string
  /** Number of items after this page. */
  remaining: number
}

export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    continue: z.string().optional().meta(described('api.document.nextPage')),
    remaining: z.number().int().meta(described('api.document.remainingItems')),
  })

export interface Paged<T> {
  /** The ids that the caller may see, in any order. */
  ids: readonly string[]
  /** Returns the row; undefined when the object has been deleted meanwhile. */
  row: (id: string) => T | undefined
  query: { limit: number; continue?: string | undefined }
  /** True: largest id first. */
  descending?: boolean
}

/** Returns one page. Throws a Refusal for a `continue` token that is invalid. */
export function pageOf<T>({ ids, row, query, descending = false }: Paged<T>): Page<T> {
  const after = query.continue === undefined ? undefined : readToken(query.continue)
  const follows = (id: string): boolean => after === undefined || (descending ? id < after : id > after)
  const left = ids.filter(follows).sort()
  if (descending) left.reverse()
  const shown = left.slice(0, query.limit)
  const last = shown.at(-1)
  const remaining = left.length - shown.length
  return {
    items: shown.flatMap((id) => row(id) ?? []),
    ...(remaining > 0 && last !== undefined && { continue: tokenAfter(last) }),
    remaining,
  }
}

const MARK = 'after:'
const tokenAfter = (id: string): string => Buffer.from(MARK + id).toString('base64url')

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8')
  if (!text.startsWith(MARK)) {
    throw refuse(400, 'Invalid', fieldProblem('continue', 'api.invalid.continue'), { field: 'continue' })
  }
  return text.slice(MARK.length)
}
