import type { PurgeMode } from '@/lib/domain/eviction'
import type { ObjectKey } from '@/lib/kube/object'
import type { ReconcileResult, ReconcilerContext } from '@/server/runtime/controller'
import type { CompatibilityProfile } from '../shared/compatibility'
import { evict } from './act'
import { observe } from './observe'
import type { EvictionLimiter } from './eviction-limiter'

export interface PassOptions extends Readonly<CompatibilityProfile['taintManager']> {
  purgeMode: PurgeMode
  limiter: EvictionLimiter
}

/** Throws if a placement cannot be read: the binding stays, and is retried with back-off. */
export async function reconcile(
  context: ReconcilerContext,
  key: ObjectKey,
  { purgeMode, limiter, ...switches }: PassOptions,
): Promise<ReconcileResult> {
  const snapshot = observe(context, key)
  const verdicts = snapshot?.verdicts ?? []
  const clusters = verdicts.filter(({ verdict }) => verdict.decision === 'evict').map(({ cluster }) => cluster)
  if (snapshot && clusters.length > 0) {
    const waitMs = limiter.waitMs(key)
    if (waitMs > 0) return { requeueAfterMs: waitMs }
    await evict(context, { binding: snapshot.binding, clusters, purgeMode, ...switches })
  }
  limiter.release(key)
  return nextLook(
    context,
    verdicts.map(({ verdict }) => verdict),
  )
}

function nextLook({ clock }: ReconcilerContext, verdicts: readonly Verdict[]): ReconcileResult {
  const failed = verdicts.find((verdict) => verdict.decision === 'error')
  if (failed) throw failed.error
  const deadlines = verdicts.flatMap((verdict) => (verdict.decision === 'after' ? [verdict.deadline] : []))
  if (deadlines.length > 0) return { requeueAfterMs: Math.min(...deadlines) - clock.now() }
}

type Verdict = NonNullable<ReturnType<typeof observe>>['verdicts'][number]['verdict']
