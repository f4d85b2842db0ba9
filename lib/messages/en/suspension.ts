/** Suspension of the scheduling of one workload: by a user, a controller or a policy. */
export const suspension = {
  'suspension.byPolicy': 'Scheduling is suspended by {policy}. Remove spec.suspension.scheduling from the policy to resume it.',
  'suspension.byUser':
    'Scheduling is suspended{who, select, none {} other { by {who}}}{at, select, none {} other { since {at}}}{reason, select, none {} other { ({reason})}} until it is resumed.',
  'suspension.queueMissing': 'Suspended by queue {queue}, which does not exist anymore. Resume scheduling of the workload.',
  'suspension.ofPlaced': '{reason} Running replicas stay; scaling and failover are stopped.',
} as const
