/** Suite `delete-order`: which pods of a subset are surplus first. */
import { orderForDeletion } from '@/lib/domain/spread'
import { podsIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

const judge = ({ input, output }: Case<{ pods: object[] }, { deleteFirst: string[] }>): string | undefined =>
  differs(
    'order',
    orderForDeletion(podsIn(input.pods)).map(({ metadata }) => metadata.name),
    output.deleteFirst,
  )

export const suite: Suite = { name: 'delete-order', judge: judge as Judge }
