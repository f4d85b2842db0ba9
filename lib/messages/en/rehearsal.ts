/** Rehearsals: problems of scenarios, what happened, and verdicts. */
export const rehearsal = {
  'rehearsal.usage':
    'usage: npm run -s rehearse -- SCENARIO.yaml [--demo | --manifests PATH ... | --federation FILE] [--upstream] [--json] [--junit FILE]\n\n  --demo             rehearse on the demonstration fleet (default)\n  --manifests PATH   rehearse on the objects of a file or directory; repeatable; clusters need the annotation sim.evenkeel.io/nodes\n  --federation FILE  rehearse on a copied federation, an export of npm run -s twin; timing has the defaults of Karmada\n  --upstream         decide exactly as Karmada, including its known defects\n  --json             print the result as JSON\n  --junit FILE       write the verdict as JUnit XML\n\nExit code: 0 if every assertion holds, 1 if an assertion fails, 2 for bad input.',
  'rehearsal.input.arguments': 'Invalid arguments: {why}',
  'rehearsal.input.oneScenario': 'Name exactly one scenario file. Use --help for the arguments.',
  'rehearsal.input.oneFleet': 'Use only one of --demo, --manifests and --federation.',
  'rehearsal.input.unreadable': 'Could not read {path}: {why}',
  'rehearsal.input.unwritable': 'Could not write {path}: {why}',
  'rehearsal.input.inFile': '{path}: {problem}',
  'rehearsal.input.badYaml': '{path}: line {line}: {why}',
  'rehearsal.input.tooLong': 'The file exceeds the limit of {limit}.',
  'rehearsal.input.tooMany': '{path} has more than {limit, number} objects.',
  'rehearsal.input.noYaml': 'The file is not valid YAML: {why}',
  'rehearsal.input.repeatedKey': 'line {line}: the map already has this key.',
  'rehearsal.input.at': 'line {line}: {field}: {problem}',
  'rehearsal.input.unknown.verb': 'Unknown verb “{key}”. Use one of {known}.',
  'rehearsal.input.unknown.assertion': 'Unknown assertion “{key}”. Use one of {known}.',
  'rehearsal.input.one.verb':
    '{count, plural, =0 {A step needs a verb} other {A step has exactly one verb}}: one of {known}.',
  'rehearsal.input.one.assertion':
    '{count, plural, =0 {The kind of the assertion is missing} other {An assertion has exactly one kind}}: one of {known}.',
  'rehearsal.input.unknownField': 'Unknown field “{key}”.',
  'rehearsal.input.missing': 'This field is required.',
  'rehearsal.input.type': 'Must be of type {expected}.',
  'rehearsal.input.value': 'Must be {allowed}.',
  'rehearsal.input.tooSmall': 'Must be at least {minimum, number}.',
  'rehearsal.input.tooBig': 'Must be at most {maximum, number}.',
  'rehearsal.input.invalid': 'Invalid value.',
  'rehearsal.input.duration': 'Must be a duration of at most 24 hours, for example 90s or 1h30m.',
  'rehearsal.input.share': 'Must be a percentage, for example 85%.',
  'rehearsal.input.quantity': 'Must be a quantity greater than 0, for example 8 or 32Gi.',
  'rehearsal.input.address': 'Must be namespace/name.',
  'rehearsal.input.clusters': 'Name clusters, regions or zones.',
  'rehearsal.input.manifest': 'Must be a Kubernetes object with apiVersion, kind and metadata.name.',
  'rehearsal.input.replicasOrShare': 'Set either replicas or share.',
  'rehearsal.input.backwards': 'Times must not run backwards: {at} follows {before}.',
  'rehearsal.input.afterEnd': '{at} is after the end of the scenario ({duration}).',
  'rehearsal.input.inStep': 'Step {step, number} ({verb}): {problem}',
  'rehearsal.input.inAssertion': 'Assertion “{assertion}”: {problem}',
  'rehearsal.input.noClusters': 'The fleet has no clusters.',
  'rehearsal.input.noCluster': 'The fleet has no simulated cluster, region or zone “{name}”.',
  'rehearsal.input.noWorkload': 'The fleet has no workload {name}.',
  'rehearsal.input.noObject': 'The fleet has no {kind} {name}.',
  'rehearsal.input.unservedKind': 'The embedded control plane does not serve {kind} of {apiVersion}.',
  'rehearsal.input.refusedObject': 'The control plane refuses {kind} {name}: {why}',
  'rehearsal.input.restless':
    'The copy of the fleet does not become stable within {time}: objects are written repeatedly. Check for policies or overrides that contradict each other.',
  'rehearsal.input.refused': 'Step {step, number} ({verb}) was refused: {why}',

  'rehearsal.step.lose': 'Lose {clusters}',
  'rehearsal.step.recover': 'Recover {clusters}',
  'rehearsal.step.drain': 'Drain {clusters}',
  'rehearsal.step.undrain': 'End the drain of {clusters}',
  'rehearsal.step.taint': 'Taint {clusters} with {taint}',
  'rehearsal.step.untaint': 'Remove the taint {taint} from {clusters}',
  'rehearsal.step.capacity': 'Change the capacity of {clusters}',
  'rehearsal.step.loseNodes': 'Lose {nodes, plural, one {# node} other {# nodes}} in each of {clusters}',
  'rehearsal.step.slowImages': 'Pods in {clusters} take {time} to become ready',
  'rehearsal.step.failPods':
    '{count, plural, =0 {Pods in {clusters} become ready again} one {Pods of # workload fail in {clusters}} other {Pods of # workloads fail in {clusters}}}',
  'rehearsal.step.misreport':
    '{as, select, Ready {{clusters} report every pod as ready} other {{clusters} report the actual state again}}',
  'rehearsal.step.scale': 'Scale {workload} to {replicas, plural, one {# replica} other {# replicas}}',
  'rehearsal.step.apply': 'Apply {objects}',
  'rehearsal.step.remove': 'Delete {object}',
  'rehearsal.step.hold': 'Hold queue {queue}',
  'rehearsal.step.resume': 'Resume queue {queue}',
  'rehearsal.step.rebalance': 'Rebalance {count, plural, one {# workload} other {# workloads}}',

  'rehearsal.seen.ready':
    '{status, select, True {{cluster} is Ready} Gone {{cluster} was removed} other {{cluster} is not Ready}}',
  'rehearsal.seen.tainted': '{cluster} has the taint {taint}',
  'rehearsal.seen.untainted': '{cluster} no longer has the taint {taint}',
  'rehearsal.seen.replicas': '{cluster} ({replicas, number})',
  'rehearsal.seen.placed': 'Placed in {after}',
  'rehearsal.seen.moved': 'Moved from {before} to {after}',
  'rehearsal.seen.unplaced': 'No longer placed; was in {before}',

  'rehearsal.breach.budget': '{ready, number} of at least {floor, number} replicas ready for {time} (budget {budget})',
  'rehearsal.breach.ready': '{ready, number} of at least {floor, number} replicas ready for {time}',
  'rehearsal.breach.slow':
    'Recovered after {time}, limit {limit}; lowest {ready, number} of {desired, number} replicas ready',
  'rehearsal.breach.notRecovered':
    'Not recovered at the end of the rehearsal, {time} after it failed; lowest {ready, number} of {desired, number} replicas ready',
  'rehearsal.breach.deleted': 'In no cluster for {time}',
  'rehearsal.breach.load':
    '{resource, select, cpu {CPU} other {Memory}} up to {share} allocated for {time}, limit {limit}',

  'rehearsal.result.fleet':
    'Scenario {name}: {clusters, plural, one {# cluster} other {# clusters}}, {workloads, plural, one {# workload} other {# workloads}}, settled after {settled}',
  'rehearsal.result.incomplete':
    '{count, plural, one {# workload was not completely ready} other {# workloads were not completely ready}} before the first step',
  'rehearsal.result.passed': 'PASS  {name} ({judged, number} checked)',
  'rehearsal.result.failed': 'FAIL  {name} ({breaches, plural, one {# breach} other {# breaches}})',
  'rehearsal.result.breaches': '{breaches, plural, one {# breach} other {# breaches}}',
  'rehearsal.result.line': 'after {time}: {subject}: {message}',
  'rehearsal.result.more': 'and {count, number} more',
  'rehearsal.result.verdict':
    '{failed, plural, =0 {Passed: {passed, plural, one {# assertion holds} other {# assertions hold}}} one {Failed: # assertion does not hold} other {Failed: # assertions do not hold}}',
} as const
