/** Queues as lanes, fetched with them. */
export const queueLanes = {
  'lanes.legend':
    'Bar: use; tick: quota; hatched: borrowed; purple: on hold. Blocks: pending workloads in admission order, width = request.',
  'lanes.label': 'Queues as lanes',
  'lanes.more': '{n, plural, one {# more queue} other {# more queues}}. Filter to find them.',
  'lanes.weight': 'weight {weight, number}',
  'lanes.noUse': 'Nothing used, no quota',
  'lanes.none': 'No pending workloads',
  'lanes.blocks': 'Pending workloads of {queue}, in admission order',
  'lanes.afterHold': 'Admitted when the hold ends',
  'lanes.noProjection': 'No projection',
  'lanes.rest': '{n, plural, one {# more pending workload} other {# more pending workloads}}',
  'lanes.blockName': 'Position {position, number}: {workload}, {demand}. {reason}',
  'lanes.selected': 'Selected workload',
  'lanes.gone': 'The workload is no longer pending in this queue.',
  'lanes.position': 'Position {position, number} in {queue}',
  'lanes.try': 'Try',
  'lanes.admit': 'Admit now…',
  'lanes.resume': 'Resume queue…',
  'lanes.quota': 'Raise quota…',
  'lanes.priority': 'Change priority…',
  'lanes.close': 'Close selection',
} as const
