import { closedPart } from '../ui/later-part'

/** `PlanDrawer`, for the pages that it opens over: see there. */
export const LaterPlanDrawer = closedPart(() => import('./plan-drawer').then((code) => code.PlanDrawer))
