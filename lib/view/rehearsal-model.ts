/** View models of rehearsals in the console. */
import type { z } from 'zod'
import type {
  rehearsalBody,
  rehearsalDetailSchema,
  rehearsalResultSchema,
  rehearsalSchema,
  rehearsalsSchema,
} from './schemas/rehearsals'

export type RehearsalBody = z.infer<typeof rehearsalBody>

/** One rehearsal: what it is, how far it is, and its verdict. */
export type RehearsalView = z.infer<typeof rehearsalSchema>

export type RehearsalsView = z.infer<typeof rehearsalsSchema>

/** What a rehearsal that came to its end has shown. */
export type RehearsalResultView = z.infer<typeof rehearsalResultSchema>

export type RehearsalDetailView = z.infer<typeof rehearsalDetailSchema>

/** Reports whether it may still change. */
export const isUnderWay = ({ state }: Pick<RehearsalView, 'state'>): boolean =>
  state === 'waiting' || state === 'running'
