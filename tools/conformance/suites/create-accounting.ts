/** Suites `create-accounting` and `delete-accounting`: entries of the webhook in the status. */
import { recordCreation, recordDeletion, type AccountingResult } from '@/lib/domain/spread'
import { podIn, type RecordedSpread, rulesIn, spreadIn, timeIn, type WithRules } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input extends WithRules {
  workloadSpread: RecordedSpread
  pod: object
  operation: 'Create' | 'Delete' | 'Eviction'
  workloadReplicas: number | null
  now: string
}

interface Output {
  changed: boolean
  subset: string | null
  subsetStatus?: object
  generatedUID: string
  versionedSubsetStatuses?: object
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const { changed, row, uid, status } = post(input)
  const actual = {
    changed,
    subset: row?.name ?? null,
    ...(row && { subsetStatus: row }),
    generatedUID: uid ?? '',
    versionedSubsetStatuses: status.versionedSubsetStatuses,
  }
  return differs('posting', actual, output)
}

function post(input: Input): AccountingResult {
  const entry = {
    spread: spreadIn(input.workloadSpread),
    pod: podIn(input.pod),
    size: input.workloadReplicas ?? 0,
    now: timeIn(input),
    uid: () => 'uid-generated',
    rules: rulesIn(input),
  }
  return input.operation === 'Create' ? recordCreation(entry) : recordDeletion(entry)
}

export const suite: Suite = { name: 'create-accounting', judge: judge as Judge }
