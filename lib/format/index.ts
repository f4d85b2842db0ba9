/** Everything that turns view data into words and figures. */
export { formatAge, formatAgo, formatDuration, formatMoment, formatTimeOfDay } from './durations'
export { formatCount, formatDelta, formatNumberOf, formatPercent, joinWords } from './numbers'
export { formatBytes, formatCpu } from './quantities'
export { STATES_BY_URGENCY, formatReplicas } from './words'
