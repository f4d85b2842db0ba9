import { conditionState } from '@/lib/view/condition-state'
import type { ConditionView } from '@/lib/view/model'
import { useText } from '../messages/use-text'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Ago } from './ago'
import { StateGlyph } from './state-glyph'

/** Conditions as the API words them. */
export function Conditions({ conditions }: { conditions: readonly ConditionView[] }) {
  const text = useText()
  if (conditions.length === 0) return <p className="text-ink-2">{text('common.noConditions')}</p>
  return (
    <InsetTable aria-label={text('common.conditions')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('common.conditionType')}</Th>
          <Th>{text('common.conditionStatus')}</Th>
          <Th>{text('common.conditionReason')}</Th>
          <Th>{text('common.conditionMessage')}</Th>
          <Th figure>{text('common.conditionSince')}</Th>
        </tr>
      </thead>
      <tbody>
        {conditions.map((condition) => (
          <tr key={condition.type} className="align-top" data-condition={condition.type} data-status={condition.status}>
            <Td className="py-1 pl-0 font-medium">{condition.type}</Td>
            <Td className="py-1 whitespace-nowrap">
              <span className="inline-flex items-center gap-1.5">
                <StateGlyph state={conditionState(condition)} />
                {condition.status}
              </span>
            </Td>
            <Td className="py-1">{condition.reason}</Td>
            <Td className="py-1 text-ink-2">{condition.message}</Td>
            <Td figure className="py-1">
              <Ago time={condition.lastTransitionTime} />
            </Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
