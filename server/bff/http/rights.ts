/** Checks a call against the permissions that its endpoint requires. */
import { apiVersionOf } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import { missingRight } from '@/lib/view/needs'
import type { Access, Question } from '../access/access'
import type { Audited } from './endpoint'
import { refuse } from './refusal'

/** Throws a Refusal that names the first missing permission, with the API server's reason. */
export async function permit(access: Access, questions: readonly Question[]): Promise<void> {
  const verdicts = await Promise.all(questions.map((question) => access.can(question)))
  const at = verdicts.findIndex(({ allowed }) => !allowed)
  const [question, verdict] = [questions[at], verdicts[at]]
  if (question && verdict) throw refuse(403, 'Forbidden', missingRight(question, verdict.reason))
}

/** Returns the object that a question names; undefined when it names none, or one of an unknown kind. */
export function objectIn({ group, resource, namespace, name }: Question): Audited['object'] | undefined {
  const kind = allKinds.find((each) => each.group === group && each.plural === resource)
  return kind && name !== undefined
    ? { apiVersion: apiVersionOf(kind), kind: kind.kind, ...(namespace !== undefined && { namespace }), name }
    : undefined
}
