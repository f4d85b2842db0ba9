'use client'
import type { LabView, SelectedView } from '@/lib/view/policy-model'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import type { State } from '@/lib/view/model'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Link } from '../ui/link'
import { NameLink } from '../ui/name-link'
import { Td, Th } from '../ui/table'

const STATES: Record<SelectedView['state'], State> = { owned: 'ok', claims: 'active', other: 'held' }
/** Maximum number of drawn rows; the count includes all. */
const MOST = 100

/** Every selected object, and which policy has it; first those that another policy wins. */
export function SelectionTable({ lab: { selected, more, overrides } }: { lab: LabView }) {
  const text = useText()
  const rank = { other: 0, claims: 1, owned: 2 }
  const sorted = selected.toSorted((a, b) => rank[a.state] - rank[b.state] || (a.id < b.id ? -1 : 1))
  const count = (state: SelectedView['state']) => selected.filter((one) => one.state === state).length
  return (
    <section aria-label={text('policies.selection.title')} className="flex min-w-0 flex-col gap-1">
      <h2 className="text-section">{text('policies.selection.title')}</h2>
      <p
        data-testid="selection-counts"
        data-owned={count('owned')}
        data-other={count('other')}
        data-claims={count('claims')}
      >
        {text('policies.selection.counts', {
          n: selected.length + more,
          owned: count('owned'),
          other: count('other'),
          claims: count('claims'),
        })}
      </p>
      {sorted.length > 0 && (
        <InsetTable aria-label={text('policies.selection.title')}>
          <thead>
            <tr>
              <Th className="pl-0">{text('policies.column.workload')}</Th>
              <Th>{text('policies.selection.policy')}</Th>
              <Th>{text('policies.selection.why')}</Th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, MOST).map((one) => (
              <SelectedRow key={one.id} selected={one} />
            ))}
          </tbody>
        </InsetTable>
      )}
      {selected.length > MOST && (
        <p className="text-ink-2">{text('policies.selection.more', { n: selected.length - MOST + more })}</p>
      )}
      <Overrides overrides={overrides} />
    </section>
  )
}

function SelectedRow({ selected: { id, ref, state, owner, why } }: { selected: SelectedView }) {
  const text = useText()
  return (
    <tr className="row-hover" data-testid="selected-row" data-id={id} data-state={state} data-owner={owner}>
      <Td className="pl-0 whitespace-nowrap">
        <NameLink href={href.workload(id)} name={nameOf(ref)} />
        <span className="ml-2 text-ink-2">{ref.kind}</span>
      </Td>
      <Td className="whitespace-nowrap">
        <StateMark state={STATES[state]} word={text(`policies.selection.states.${state}`)} />
        {state === 'other' && owner !== undefined && (
          <Link href={href.policy(owner)} className="ml-2 link">
            {owner}
          </Link>
        )}
      </Td>
      <Td className="w-full text-ink-2">{text.of(why)}</Td>
    </tr>
  )
}

function Overrides({ overrides }: Pick<LabView, 'overrides'>) {
  const text = useText()
  return (
    <>
      <h2 className="mt-3 text-section">{text('policies.overrides')}</h2>
      {overrides.length === 0 ? (
        <p className="text-ink-2">{text('policies.overridesNone')}</p>
      ) : (
        <ul>
          {overrides.map(({ kind, name, workloads, clusters }) => (
            <li key={`${kind}/${name}`}>{text('policies.override', { kind, name, workloads, clusters })}</li>
          ))}
        </ul>
      )}
    </>
  )
}
