'use client'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Problem } from './problem'
import { podAddress, stateOfMark } from './pod-words'
import type { InMember } from './use-member-pods'

/** Rows of one cluster; its drawer has no more either. */
const MAX_ROWS = 200

/** The pods of a workload, cluster by cluster. `hidden`: clusters that were not asked. */
export function PodsTable({ members, hidden }: { members: ReadonlyMap<string, InMember>; hidden: number }) {
  const text = useText()
  const { navigate } = useUrlState()
  const rows = [...members].flatMap(([cluster, { view }]) =>
    (view?.pods ?? []).slice(0, MAX_ROWS).map((pod) => ({ cluster, pod })),
  )
  const problems = [...members].filter(([, { problem }]) => problem !== undefined)
  return (
    <div className="flex flex-col gap-2 py-2">
      {problems.map(([cluster, { problem }]) => (
        <Problem key={cluster}>{text('pods.problemIn', { cluster, why: problem ?? '' })}</Problem>
      ))}
      {rows.length === 0 ? (
        <p className="text-ink-2">{text('topology.noPods')}</p>
      ) : (
        <InsetTable className="min-w-[44rem]" aria-label={text('pods.table')} data-testid="pods">
          <thead>
            <tr>
              <Th className="pl-0">{text('pods.pod')}</Th>
              <Th>{text('pods.status')}</Th>
              <Th figure>{text('pods.restarts')}</Th>
              <Th>{text('pods.cluster')}</Th>
              <Th>{text('pods.node')}</Th>
              <Th figure>{text('pods.age')}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cluster, pod }) => (
              <tr key={pod.uid} data-testid="pod-row" data-pod={pod.name} data-mark={pod.mark}>
                <Td className="pl-0">
                  <button
                    type="button"
                    title={pod.name}
                    className="block max-w-80 truncate text-left hover:underline"
                    onClick={() => navigate({ node: podAddress(cluster, pod), part: 'logs' })}
                  >
                    {pod.name}
                  </button>
                </Td>
                <Td>
                  <StateMark state={stateOfMark(pod.mark)} word={pod.status} />
                </Td>
                <Td figure>{pod.restarts}</Td>
                <Td>{cluster}</Td>
                <Td>{pod.node ?? text('pods.noNode')}</Td>
                <Td figure>
                  <Ago time={pod.createdAt} />
                </Td>
              </tr>
            ))}
          </tbody>
        </InsetTable>
      )}
      {hidden > 0 && <p className="text-ink-2">{text('pods.hidden', { n: hidden })}</p>}
    </div>
  )
}
