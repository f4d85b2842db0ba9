'use client'
import type { OverrideView } from '@/lib/view/model'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'

/** How the copies differ from the template, and which policy says so. */
export function Overrides({ overrides }: { overrides: readonly OverrideView[] }) {
  if (overrides.length === 0) return <p className="text-ink-2">Every cluster has the template as it is.</p>
  return (
    <InsetTable aria-label="Overrides">
      <thead>
        <tr>
          <Th className="pl-0">Cluster</Th>
          <Th>By</Th>
          <Th>What is different there</Th>
        </tr>
      </thead>
      <tbody>
        {overrides.map(({ cluster, policy, changes }) => (
          <tr
            key={`${cluster} ${policy.kind} ${policy.name} ${changes.join()}`}
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
                  <li key={change}>{change}</li>
                ))}
              </ul>
            </Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
