'use client'
import type { OverrideView } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'

/** How the copies differ from the template, and which policy says so. */
export function Overrides({ overrides }: { overrides: readonly OverrideView[] }) {
  const text = useText()
  if (overrides.length === 0) return <p className="text-ink-2">{text('workload.overridesEmpty')}</p>
  return (
    <InsetTable aria-label={text('workload.overrides')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('workload.cluster')}</Th>
          <Th>{text('workload.overridesBy')}</Th>
          <Th>{text('workload.overridesChange')}</Th>
        </tr>
      </thead>
      <tbody>
        {overrides.map(({ cluster, policy, changes }) => (
          <tr
            key={`${cluster} ${policy.kind} ${policy.name} ${changes.map(text.of).join()}`}
            className="align-top"
            data-testid="override"
            data-cluster={cluster}
          >
            <Td className="py-1 pl-0 font-medium">{cluster}</Td>
            <Td className="py-1 whitespace-nowrap">
              {policy.name} <span className="text-ink-2">{policy.kind}</span>
            </Td>
            <Td className="py-1">
              <ul>
                {changes.map((change) => (
                  <li key={text.of(change)}>{text.of(change)}</li>
                ))}
              </ul>
            </Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
