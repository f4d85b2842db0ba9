import { laterPart } from '../ui/later-part'

/** `PlanDrawer`, for the pages that it opens over: see there. */
export const LaterPlanDrawer = laterPart(() => import('./plan-drawer').then((code) => code.PlanDrawer))
