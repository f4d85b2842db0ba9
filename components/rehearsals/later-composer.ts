import { laterPart } from '../ui/later-part'

/** `Composer`, with the editor and the reader of scenarios: fetched after the first paint. */
export const LaterComposer = laterPart(() => import('./composer').then((code) => code.Composer))
