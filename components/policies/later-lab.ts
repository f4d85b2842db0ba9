import { laterPart } from '../ui/later-part'

/** The lab and what it computes with hold the scheduler: fetched after the first paint. */
export const LaterLab = laterPart(() => import('./lab').then((code) => code.PlacementLab))
export const LaterNewPolicy = laterPart(() => import('./new-policy').then((code) => code.NewPolicy))
export const LaterSelection = laterPart(() => import('./selection').then((code) => code.Selection))
