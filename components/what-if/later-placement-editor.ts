import { laterPart } from '../ui/later-part'

/** Its checks hold the schemas of policies: fetched after the first paint. */
export const LaterPlacementEditor = laterPart(() => import('./placement-editor').then((code) => code.PlacementEditor))
