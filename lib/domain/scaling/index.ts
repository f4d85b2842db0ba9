/** Decisions about the replicas of templates that are scaled by schedules. */
export { type CronRule, type Execution, planCronRules, withExecution } from './cron-rules'
