import type { Question } from '@/lib/view/needs'

export type { Question } from '@/lib/view/needs'

export interface Verdict {
  allowed: boolean
  /** Why not, for people; empty when allowed. */
  reason: string
}

/** Answers questions in their order. */
export type Ask = (questions: Question[]) => Promise<Verdict[]>

/** So many questions go in one request; the others in the next. */
const MAX_QUESTIONS = 50

interface Waiting {
  question: Question
  resolve: (verdict: Verdict) => void
  reject: (error: unknown) => void
}

/**
 * Gathers the questions that a page asks at once and sends them together. `schedule` runs its argument soon, once for
 * every batch. When asking fails, every question of that request fails.
 */
export function batchQuestions(
  ask: Ask,
  schedule: (send: () => void) => void,
): (question: Question) => Promise<Verdict> {
  let waiting: Waiting[] = []
  const send = () => {
    const batch = waiting
    waiting = []
    for (let start = 0; start < batch.length; start += MAX_QUESTIONS)
      void answer(batch.slice(start, start + MAX_QUESTIONS), ask)
  }
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (waiting.length === 1) schedule(send)
    })
}

async function answer(batch: readonly Waiting[], ask: Ask): Promise<void> {
  try {
    const verdicts = await ask(batch.map(({ question }) => question))
    batch.forEach(({ resolve, reject }, index) => {
      const verdict = verdicts[index]
      if (verdict) resolve(verdict)
      else reject(new Error('The server left a question about rights unanswered.'))
    })
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
