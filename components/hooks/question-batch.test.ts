import { describe, expect, it } from 'vitest'
import { batchQuestions, type Question, type Verdict } from './question-batch'

const about = (name: string): Question => ({
  verb: 'patch',
  group: 'evenkeel.io',
  resource: 'queues',
  namespace: 'shop',
  name,
})

/** Returns configured answers, and sends on request. */
function setUp(answer: (question: Question) => Verdict | undefined) {
  const requests: string[][] = []
  const sends: (() => void)[] = []
  const ask = async (questions: Question[]) => {
    requests.push(questions.map(({ name = '' }) => name))
    return questions.map(answer).filter((verdict) => verdict !== undefined)
  }
  return {
    requests,
    ask: batchQuestions(ask, (send) => sends.push(send)),
    send: () => sends.splice(0).forEach((each) => each()),
  }
}

const onlyLine = ({ name }: Question): Verdict => ({
  allowed: name === 'line',
  reason: name === 'line' ? '' : `not ${name}`,
})

describe('questions about rights', () => {
  it('of one moment go in one request, and each gets its own answer', async () => {
    const { ask, send, requests } = setUp(onlyLine)
    const answers = Promise.all([ask(about('line')), ask(about('other'))])
    expect(requests).toEqual([])
    send()
    expect(await answers).toEqual([
      { allowed: true, reason: '' },
      { allowed: false, reason: 'not other' },
    ])
    expect(requests).toEqual([['line', 'other']])
  })

  it('of the next moment go in the next request', async () => {
    const { ask, send, requests } = setUp(onlyLine)
    const first = ask(about('line'))
    send()
    await first
    const second = ask(about('other'))
    send()
    await second
    expect(requests).toEqual([['line'], ['other']])
  })

  it('that are many go in several requests', async () => {
    const { ask, send, requests } = setUp(onlyLine)
    const answers = Promise.all(Array.from({ length: 120 }, (_, index) => ask(about(`queue-${index}`))))
    send()
    expect((await answers)[119]).toEqual({ allowed: false, reason: 'not queue-119' })
    expect(requests.map(({ length }) => length)).toEqual([50, 50, 20])
  })

  it('fail when asking fails', async () => {
    const sends: (() => void)[] = []
    const ask = batchQuestions(
      () => Promise.reject(new Error('away')),
      (send) => sends.push(send),
    )
    const answers = [ask(about('line')), ask(about('other'))]
    sends[0]?.()
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('fail when they are left unanswered', async () => {
    const { ask, send } = setUp(() => undefined)
    const answer = ask(about('line'))
    send()
    await expect(answer).rejects.toThrow('unanswered')
  })
})
