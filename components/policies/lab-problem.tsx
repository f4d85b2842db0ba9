'use client'
import type { LabView } from '@/lib/view/policy-model'
import { useText } from '../messages/use-text'
import { Notice } from '../ui/notice'
import { placesText } from './policy-texts'
import type { Draft, LabResult } from './use-lab'

interface LabProblemProps {
  draft: Draft
  lab: LabView
  result: LabResult
}

/** What limits the picture: an invalid document, rights, a lazy policy, another result of the server. */
export function LabProblem({ draft, lab, result }: LabProblemProps) {
  const text = useText()
  const { problem, good } = draft
  return (
    <>
      {problem && (
        <Notice state="fail">
          <span data-testid="lab-invalid">
            {text('policies.lab.invalid', { problem: problem.problem, line: problem.line ?? 0 })}
          </span>
        </Notice>
      )}
      {lab.clusters === undefined && <Notice state="held">{text('policies.lab.noClusters')}</Notice>}
      {lab.unlisted.map((each) => (
        <Notice key={text.of(each)} state="held">
          {text.of(each)}
        </Notice>
      ))}
      {lab.more > 0 && <Notice state="warn">{text('policies.lab.more', { n: lab.more })}</Notice>}
      {good.lazy && <Notice state="held">{text('policies.lab.lazy')}</Notice>}
      {result.differing.length > 0 && <Differing result={result} />}
    </>
  )
}

/** Both results, where the server decides otherwise: the fleet changed since, or clusters are hidden. */
function Differing({ result: { differing, outcome } }: { result: LabResult }) {
  const text = useText()
  return (
    <Notice state="warn">
      <div data-testid="lab-differs">
        <p className="font-medium">{text('policies.lab.differs', { n: differing.length })}</p>
        <ul>
          {differing.slice(0, 5).map(({ id, rebalanced }) => (
            <li key={id}>
              {text('policies.lab.differsIn', {
                workload: id.split('/').slice(2).join('/'),
                here: placesText(text, outcome?.workloads.find((one) => one.id === id)?.tried.rebalanced ?? []),
                server: placesText(
                  text,
                  rebalanced.map(({ cluster, replicas }) => ({ name: cluster, replicas })),
                ),
              })}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}
