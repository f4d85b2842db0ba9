/** Suite `pod-version`: of which revision a pod is. */
import { podVersion } from '@/lib/domain/spread'
import { podIn } from '../spread-case'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

const judge = ({ input, output }: Case<{ pod: object }, { version: string }>): string | undefined =>
  differs('version', podVersion(podIn(input.pod)), output.version)

export const suite: Suite = { name: 'pod-version', judge: judge as Judge }
