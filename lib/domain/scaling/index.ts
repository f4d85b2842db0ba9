/** Decisions about the replicas of templates that are scaled by usage or by schedules. */
export { type AutoscalePlan, planReplicas, type PodUsage, type Recommendation } from './autoscale'
export { type CronRule, type Execution, planCronRules, withExecution } from './cron-rules'
