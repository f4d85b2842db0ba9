/** Rehearsals in the console: the pages, and why one was refused or ended. */
export const rehearsals = {
  'rehearsals.problem.tooSlow':
    'The rehearsal did not end within {time}. Shorten the scenario, or run it with npm run -s rehearse.',
  'rehearsals.problem.failed': 'The rehearsal failed unexpectedly. The server log has the cause.',
  'rehearsals.problem.memory':
    'The rehearsal needs more than {limit} of memory. Give the console more memory, or run it with npm run -s rehearse.',
  'rehearsals.refused.full':
    '{count, plural, one {# rehearsal waits} other {# rehearsals wait}} already. Try again when one has ended.',
  'rehearsals.refused.ofUser':
    'You already have {count, plural, one {# rehearsal} other {# rehearsals}} under way. Cancel one, or wait until one has ended.',
  'rehearsals.refused.unavailable': 'This instance runs no rehearsals.',
  'rehearsals.refused.tooLarge':
    'The federation has {workloads, plural, one {# workload} other {# workloads}} with {replicas, plural, one {# replica} other {# replicas}}; the memory of this console allows {most, number} and {mostReplicas, number}. Give it more memory, or run npm run -s rehearse on an export.',
} as const
