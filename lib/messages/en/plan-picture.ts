/** The pictures of a rebalance: flow, load, waves and ready replicas; loaded with them. */
export const planPicture = {
  'planPicture.flow.title': 'Moves',
  'planPicture.flow.hint': 'Ribbon = replicas that move, grey = replicas that stay',
  'planPicture.flow.byRegion': 'More than {most, number} clusters: drawn by region.',
  'planPicture.flow.before': 'Before',
  'planPicture.flow.after': 'After',
  'planPicture.flow.stay': '{n, number} stay',
  'planPicture.flow.nowhere': 'no cluster',
  'planPicture.flow.move':
    '{replicas, plural, one {# replica} other {# replicas}} of {n, plural, one {# workload} other {# workloads}} from {from} to {to}',
  'planPicture.flow.moveDone':
    '{done, number} of {replicas, plural, one {# replica} other {# replicas}} of {n, plural, one {# workload} other {# workloads}} moved from {from} to {to}',
  'planPicture.flow.moved': 'moved',
  'planPicture.flow.toMove': 'to move',
  'planPicture.flow.progress': '{done, number} of {replicas, number}',
  'planPicture.flow.hover': 'Point at a ribbon, or move to it with Tab, for its workloads.',
  'planPicture.flow.hoverOrOpen':
    'Point at a ribbon, or move to it with Tab, for its workloads. Click it or press Enter to leave one out.',
  'planPicture.leaveOut.action': 'Leave out',
  'planPicture.leaveOut.one': 'Leave out {workload}',
  'planPicture.leaveOut.close': 'Close',
  'planPicture.flow.workload': '{workload}: {n, number}',
  'planPicture.flow.more': '{n, plural, one {# more} other {# more}}',
  'planPicture.flow.total': '{n, plural, one {# replica} other {# replicas}}',
  'planPicture.load.title': 'Load before and after',
  'planPicture.load.hint': 'Solid = requested, pale = still to arrive, dashed = still to leave, tick = allocatable',
  'planPicture.load.cpuAfter': 'CPU after',
  'planPicture.load.cpu': 'CPU',
  'planPicture.load.memory': 'Memory',
  'planPicture.load.pods': 'Pods',
  'planPicture.load.change': '{now} → {after} of {allocatable} ({share})',
  'planPicture.load.unchanged': '{now} of {allocatable} ({share})',
  'planPicture.load.notReported': '{arriving} arriving, {leaving} leaving; capacity not reported',
  'planPicture.load.unknown': '{n, plural, one {# replica} other {# replicas}} not counted: request unknown',
  'planPicture.load.fullest': 'Fullest cluster after the move: {cluster}, {after} of its CPU requested, now {now}.',
  'planPicture.load.noCapacity': 'No cluster of this plan reports its CPU.',
  'planPicture.load.exceeded':
    'More is requested after the move than {n, plural, one {this cluster has} other {these # clusters have}}: {clusters}',
  'planPicture.load.snapshot': 'Snapshot, {age} old: requests and capacity as the clusters last reported them.',
  'planPicture.load.stale': 'Does not answer since {time}; its figures are older',
  'planPicture.load.hidden': 'You don’t have permission to list clusters, so their load is not shown.',
  'planPicture.load.all': 'Show all {n, number} clusters',
  'planPicture.table.places': 'Clusters before and after',
  'planPicture.table.moves': 'Moves between clusters',
  'planPicture.table.cluster': 'Cluster',
  'planPicture.table.stay': 'Stay',
  'planPicture.table.from': 'From',
  'planPicture.table.to': 'To',
  'planPicture.table.replicas': 'Replicas',
  'planPicture.table.done': 'Moved',
  'planPicture.table.workloads': 'Workloads',
  'planPicture.view.label': 'View of the moves',
  'planPicture.view.flow': 'Flow',
  'planPicture.view.table': 'Table',
  'planPicture.ready.title': 'Ready replicas',
  'planPicture.ready.hint': 'Solid = measured, dashed = predicted minimum of the wave, band = spread of the prediction',
  'planPicture.ready.hintAhead':
    'If approved now: dashed = predicted minimum of the wave, band = spread of the prediction',
  'planPicture.ready.budget': 'budget {n, number}',
  'planPicture.ready.desired': 'before {n, number}',
  'planPicture.ready.now': '{time}: {n, number} ready',
  'planPicture.ready.wave': 'Wave {n, number}',
  'planPicture.ready.waveSpan':
    'Wave {n, number}: {workloads, plural, one {# workload} other {# workloads}}, predicted minimum {lowest, number} ready',
  'planPicture.ready.sentence':
    'Ready replicas of the workloads of this plan: lowest {lowest, number}, predicted minimum {predicted, number}, budget {floor, number}',
  'planPicture.ready.sentenceAhead':
    'Ready replicas of the workloads of this plan: {before, number} now, predicted minimum {predicted, number}, budget {floor, number}',
  'planPicture.ready.unknown': 'Ready replicas unknown for a workload of this plan, so none are predicted.',
  'planPicture.ready.unmeasured': 'Ready replicas of this plan were not recorded.',
  'planPicture.ready.cut': 'Axis starts at {n, number}',
  'planPicture.band.withOld':
    'Band = ready replicas to expect: from the least that the budget permits to old and new replicas together.',
  'planPicture.band.withoutOld':
    'Band = ready replicas to expect: from the least that the budget permits to all desired replicas.',
  'planPicture.band.times':
    '{waves, plural, one {The upcoming wave is} other {Upcoming waves are}} drawn with {typical}, the median of {n, plural, one {# measured wave} other {# measured waves}} on this control plane. The band covers {fast} to {slow} for each wave, and a pause of {pause} between waves.',
  'planPicture.band.unmeasured':
    'No wave has finished on this control plane yet, so upcoming waves have no predicted times.',
  'planPicture.band.inOrder':
    'No wave has finished on this control plane yet: waves are drawn in their order and have no predicted times.',
  'planPicture.band.notRunning': 'The plan is not running, so upcoming waves have no predicted times.',
  'planPicture.band.overdue':
    'The current wave takes longer than every measured wave, so its end and upcoming waves have no predicted times.',
} as const
