import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { onMessageProblem, texts } from '@/lib/messages/texts'
import { createMetrics } from '@/server/telemetry/metrics'
import { validate } from './input'
import { textOf } from './language'
import { Refusal, refuse, withOutcome } from './refusal'

describe('the language of an answer', () => {
  test.each([
    [{}, 'en'],
    [{ 'accept-language': 'zh-CN,zh;q=0.9' }, 'zh-CN'],
    [{ 'accept-language': 'zh', cookie: 'a=b; evenkeel-locale=en' }, 'en'],
    [{ cookie: 'evenkeel-locale=zh-CN; evenkeel=x' }, 'zh-CN'],
    [{ 'accept-language': 'de', cookie: 'evenkeel-locale=__proto__' }, 'en'],
  ])('to %j is %s', (headers, locale) => {
    expect(textOf({ headers }).locale).toBe(locale)
  })
})

describe('a refusal', () => {
  test('has title and detail in the language of the reader, and the same reason', () => {
    const refusal = withOutcome(refuse(503, 'Unavailable', { code: 'api.live.unidentified' }), 'unknown', true)
    expect(refusal.problem('r', texts['zh-CN'])).toMatchObject({
      title: '暂时不可用',
      reason: 'Unavailable',
      detail: '无法确认你的身份，正在自动重试。 结果未知。重试之前请检查操作是否已生效。',
    })
    expect(refusal.problem('r', english)).toMatchObject({ title: 'Temporarily unavailable', detail: refusal.message })
  })

  test('of a body words the issue in the language of the reader, ours and those of the schema', () => {
    const schema = z.strictObject({ n: z.number(), s: z.string().min(1, 'api.invalid.empty').optional() })
    const refused = (body: unknown): Refusal => {
      try {
        validate(body, schema, 'body')
      } catch (error) {
        if (error instanceof Refusal) return error
      }
      throw new Error('it was accepted')
    }
    expect(refused({ n: 1, s: '' }).message).toBe('s: Must not be empty')
    expect(refused({ n: 1, s: '' }).problem('r', texts['zh-CN'])).toMatchObject({ field: 's', detail: 's：不能为空' })
    expect(refused({ n: 'x' }).problem('r', texts['zh-CN']).detail).toMatch(/^n：.*\p{Script=Han}/u)
    expect(refused({ n: 1, more: true }).message).toMatch(/^Body: .+/)
  })
})

test('a message without a text is counted, and shown as words', async () => {
  const metrics = createMetrics()
  const stop = onMessageProblem(metrics.messageProblem)
  try {
    const unknown = { code: 'queues.fromTheFuture' } as unknown as Message
    expect(refuse(409, 'Conflict', unknown).problem('r', texts['zh-CN']).detail).toBe('From the future')
  } finally {
    stop()
  }
  expect((await metrics.expose()).text).toContain('evenkeel_message_problems_total{kind="missing",locale="zh-CN"} 1')
})
