export const queues = {
  'queues.byState': 'Queues by state',
} as const
