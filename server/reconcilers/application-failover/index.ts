/** Evicts workloads from clusters where they fail although the cluster is healthy. See README.md. */
import { APPLICATION_RULE_ANNOTATION, type FailoverProfile, type HealthRecord } from '@/lib/domain/failover'
import type { Kind } from '@/lib/kube/kind'
import {
  cluster as clusterKind,
  clusterPropagationPolicy,
  propagationPolicy,
  type PropagationPolicy,
  resourceInterpreterCustomization,
} from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, watch } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, bindingKinds, changedBinding } from '../shared/binding-kinds'
import { evenkeelProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import { policyRefOf } from './observe'
import { reconcile } from './reconcile'

export interface ApplicationFailoverOptions {
  /** See `lib/domain/failover`. */
  profile?: Partial<FailoverProfile>
  /**
   * Pass the state that the rule preserves to new replicas (upstream feature gate StatefulFailoverInjection, off by
   * default there). Default true.
   */
  preserveState?: boolean
  /** Default 5. */
  concurrency?: number
}

const policyKinds: readonly Kind<PropagationPolicy>[] = [propagationPolicy, clusterPropagationPolicy]

export function applicationFailoverController(
  context: InterpreterContext,
  options: ApplicationFailoverOptions = {},
): Controller {
  const defaults = evenkeelProfile.applicationFailover
  const { preserveState = defaults.preserveState, concurrency = 5 } = options
  const profile = { ...defaults.profile, ...options.profile }
  const records = new Map<ObjectKey, HealthRecord>()
  const pass = { profile, records, gates: { preserveState, gracefulEviction: true } }
  return {
    name: 'application-failover',
    concurrency,
    watches: [
      ...bindingKinds.map((kind) => watch({ kind, relevant: hasOrHadRule, keys: changedBinding })),
      ...policyKinds.map((kind) =>
        watch({ kind, relevant: isAnnotationChanged, keys: (change) => bindingsOf(context, change) }),
      ),
    ],
    reads: [resourceInterpreterCustomization, clusterKind],
    // Another leader may have written meanwhile, so the records in the bindings count.
    start: () => {
      records.clear()
    },
    reconcile: (key) => reconcile(context, key, pass),
  }
}

function hasOrHadRule(change: Change<Binding>): boolean {
  const states = [
    change.type === 'deleted' ? undefined : change.object,
    change.type === 'added' ? undefined : change.old,
  ]
  return states.some((binding) => binding?.spec.failover?.application !== undefined)
}

function isAnnotationChanged(change: Change<PropagationPolicy>): boolean {
  const textOf = (policy?: PropagationPolicy) => policy?.metadata.annotations?.[APPLICATION_RULE_ANNOTATION]
  return (
    textOf(change.type === 'deleted' ? undefined : change.object)
    !== textOf(change.type === 'added' ? undefined : change.old)
  )
}

/** Returns the bindings that a policy created. */
function bindingsOf({ informers }: InterpreterContext, change: Change<PropagationPolicy>): ObjectKey[] {
  const { metadata } = change.type === 'deleted' ? change.old : change.object
  return bindingKinds
    .flatMap((kind) => informers.of(kind).list())
    .filter((binding) => {
      const ref = policyRefOf(binding)
      return ref?.name === metadata.name && ref.namespace === metadata.namespace
    })
    .map(bindingKeyOf)
}
