/** One pass of the WorkloadRebalancer loop over a small API server that may refuse reads and writes. */
import { finishPass } from '@/lib/domain/rebalance/finish'
import { decideExpiry } from '@/lib/domain/rebalance/ttl'
import {
  type ObservedWorkload,
  type RebalancerSpec,
  type RebalancerStatus,
  syncStatus,
} from '@/lib/domain/rebalance/sync-status'
import { type TriggerOutcome, assessTrigger, bindingRefOf, recordOutcome } from '@/lib/domain/rebalance/trigger'
import { formatTime, parseTime } from '@/lib/std/clock'
import { differs, firstOf } from '../compare'
import type { Case, Suite } from '../suite'

interface StoredBinding {
  kind: string
  namespace?: string
  name: string
  rescheduleTriggeredAt?: string
  getError?: string
  updateError?: string
}

interface PassInput {
  now: string
  rebalancer: {
    metadata: { name: string; generation?: number; creationTimestamp: string }
    spec: RebalancerSpec
    status?: RebalancerStatus
  }
  bindings: StoredBinding[]
}

interface PassOutput {
  statusPatched: boolean
  status: RebalancerStatus | null
  finishTimeSetToNow: boolean
  bindings: StoredBinding[]
  deleted: boolean
  requeueAfterSeconds: number | null
  error?: string
}

interface NameCase {
  input: { kind: string; name: string }
  output: { bindingName: string }
}

function judge(testCase: Case): string | undefined {
  if (testCase.name.includes('/binding-name/')) {
    const { input, output } = testCase as unknown as NameCase
    return differs('bindingName', bindingRefOf(input).name, output.bindingName)
  }
  return judgePass(testCase.input as PassInput, testCase.output as PassOutput)
}

const comparedFields = [
  'statusPatched',
  'status',
  'finishTimeSetToNow',
  'bindings',
  'deleted',
  'requeueAfterSeconds',
] as const

function judgePass(input: PassInput, recorded: PassOutput): string | undefined {
  const ours = runPass(input)
  return firstOf(
    differs('error', anonymous(ours.error), anonymous(recorded.error)),
    ...comparedFields.map((field) => differs(field, ours[field], recorded[field])),
  )
}

/** Resource versions differ from server to server. */
function anonymous(error: string | undefined): string {
  return (error ?? '').startsWith('Operation cannot be fulfilled') ? 'conflict' : (error ?? '')
}

function runPass({ now, rebalancer, bindings }: PassInput): PassOutput {
  const synced = syncStatus(rebalancer)
  const stored = bindings.filter((binding) => binding.getError !== 'NotFound').map((binding) => ({ ...binding }))
  let retries = 0
  const observedWorkloads = (synced.observedWorkloads ?? []).map((observed) => {
    const outcome = attempt(observed, stored, rebalancer.metadata.creationTimestamp)
    if (outcome === 'retry') retries += 1
    return outcome === 'skip' ? observed : recordOutcome(observed, outcome)
  })
  const before = rebalancer.status
  const written = finishPass({ before, after: { ...synced, observedWorkloads }, retries, now: parseTime(now) })
  const status = written ?? before ?? {}
  return {
    statusPatched: written !== undefined,
    status,
    finishTimeSetToNow: written !== undefined && retries === 0 && written.finishTime === formatTime(parseTime(now)),
    bindings: stored.map(({ getError: _get, updateError: _update, ...binding }) => binding),
    deleted: false,
    requeueAfterSeconds: null,
    ...afterwards({ rebalancer, now }, status, { retries, wrote: written !== undefined }),
  }
}

function attempt(observed: ObservedWorkload, stored: StoredBinding[], createdAt: string): TriggerOutcome | 'skip' {
  const ref = bindingRefOf(observed.workload)
  const found = stored.find(
    (one) => one.kind === ref.kind && (one.namespace ?? '') === (ref.namespace ?? '') && one.name === ref.name,
  )
  const verdict = assessTrigger(observed, found && { spec: found }, createdAt)
  if (verdict.act === 'skip') return 'skip'
  if (found?.getError) return 'retry'
  if (verdict.act === 'fail' || !found) return 'bindingNotFound'
  if (verdict.act === 'accept') return 'triggered'
  if (found.updateError) return found.updateError === 'NotFound' ? 'bindingNotFound' : 'retry'
  found.rescheduleTriggeredAt = verdict.rescheduleTriggeredAt
  return 'triggered'
}

/** A deletion in the pass that wrote the status meets its own write: the precondition names the version read before. */
function afterwards(
  { rebalancer, now }: Pick<PassInput, 'rebalancer' | 'now'>,
  status: RebalancerStatus,
  { retries, wrote }: { retries: number; wrote: boolean },
): Partial<PassOutput> {
  if (retries > 0) return { error: `${retries} resource reschedule triggered failed and need retry` }
  const verdict = decideExpiry(rebalancer.spec.ttlSecondsAfterFinished, status.finishTime, parseTime(now))
  if (verdict.act === 'wait') return { requeueAfterSeconds: verdict.remainingMs / 1000 }
  if (verdict.act === 'refuse') return { error: verdict.message }
  if (verdict.act === 'keep') return {}
  return wrote ? { error: 'Operation cannot be fulfilled' } : { deleted: true, status: null }
}

export const suite: Suite = { name: 'rebalancer', judge }
