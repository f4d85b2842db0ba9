/** Whether a call may be made, by the rights that its endpoint names. */
import type { Access, Question } from '../access/access'
import { refuse } from './refusal'

/** Throws a Refusal that names the first right that is missing, with the API server's reason. */
export async function permit(access: Access, questions: readonly Question[]): Promise<void> {
  const verdicts = await Promise.all(questions.map((question) => access.can(question)))
  const at = verdicts.findIndex(({ allowed }) => !allowed)
  const [question, verdict] = [questions[at], verdicts[at]]
  if (question && verdict) throw refuse(403, 'Forbidden', missingRight(question, verdict.reason))
}

/** `You may not update queues.evenkeel.io in namespace lab: …`. */
export function missingRight(question: Question, reason: string): string {
  const sentence = `You may not ${inWords(question)}`
  // Whoever answers may have said all of it already.
  if (reason.startsWith('You may not')) return reason
  const why = reason.trim().replace(/\.$/, '')
  return why === '' ? `${sentence}.` : `${sentence}: ${why}.`
}

function inWords({ verb, group, resource, subresource, namespace, name }: Question): string {
  const kind = `${resource}${group && `.${group}`}${subresource ? `/${subresource}` : ''}`
  return `${verb} ${kind}${name ? ` "${name}"` : ''}${namespace ? ` in namespace ${namespace}` : ''}`
}
