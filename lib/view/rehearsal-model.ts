/** View models of rehearsals in the console. */
import type { z } from 'zod'
import type {
  rehearsalBody,
  rehearsalDetailSchema,
  rehearsalRecordingSchema,
  rehearsalResultSchema,
  rehearsalSchema,
  rehearsalsSchema,
} from './schemas/rehearsals'

export type RehearsalBody = z.infer<typeof rehearsalBody>

/** One rehearsal with its scenario, progress and verdict. */
export type RehearsalView = z.infer<typeof rehearsalSchema>

export type RehearsalsView = z.infer<typeof rehearsalsSchema>

/** Result of a completed rehearsal. */
export type RehearsalResultView = z.infer<typeof rehearsalResultSchema>

export type RehearsalDetailView = z.infer<typeof rehearsalDetailSchema>

/** Incidents and plans of a completed rehearsal. */
export type RehearsalRecordingView = z.infer<typeof rehearsalRecordingSchema>

/** Reports whether the rehearsal may still change. */
export const isUnderWay = ({ state }: Pick<RehearsalView, 'state'>): boolean =>
  state === 'waiting' || state === 'running'
