/** Tells receivers outside about incidents: webhooks and Alertmanagers. See docs/notices.md. */
export { memoryInFile, memoryInStore, memoryOfProcess } from './memory'
export type { NoticeMetrics } from './metrics-hooks'
export { type IncidentFeed, Notifier } from './notifier'
export { type NotifySettings, parseNotifySettings } from './settings'
