import { describe, expect, test } from 'vitest'
import { negotiateLocale } from './locale'
import type { Message } from './message'
import { createText, type MessageProblem } from './text'

const catalogue = {
  held: '{n, plural, one {# workload is} other {# workloads are}} held in {clusters}',
  evicts: 'Evicts in {span} because of {cause}',
  why: 'taint {key}',
  linked: 'Read <link>the {name} guide</link> first.',
}

function texts(locale: 'en' | 'zh-CN' = 'en', own: Record<string, string> = catalogue) {
  const problems: MessageProblem[] = []
  const text = createText({
    locale,
    catalogue: own,
    fallback: catalogue,
    onProblem: (problem) => problems.push(problem),
  })
  return { problems, say: (code: string, args: object = {}) => text.of({ code, args } as Message), text }
}

describe('text of a message', () => {
  test('has plurals, lists, quantities and other messages in it', () => {
    const { say } = texts()
    expect(say('held', { n: 1, clusters: ['a', 'b', 'c'] })).toBe('1 workload is held in a, b and c')
    expect(say('held', { n: 1234, clusters: 'a' })).toBe('1,234 workloads are held in a')
    expect(say('evicts', { span: { ms: 90_000 }, cause: { code: 'why', args: { key: 'x' } } })).toBe(
      'Evicts in 1 m 30 s because of taint x',
    )
  })

  test('is written as the locale writes it', () => {
    const { say } = texts('zh-CN', { evicts: '{span}后驱逐，原因：{cause}', why: '污点 {key}' })
    expect(say('evicts', { span: { ms: 90_000 }, cause: { code: 'why', args: { key: 'x' } } })).toBe(
      '1 分 30 秒后驱逐，原因：污点 x',
    )
  })

  test('is the English one, and counted, where the locale has none', () => {
    const { say, problems } = texts('zh-CN', {})
    expect(say('why', { key: 'x' })).toBe('taint x')
    expect(problems).toEqual([{ kind: 'missing', code: 'why', locale: 'zh-CN' }])
  })

  test.each([
    ['constructor', 'Constructor'],
    ['queues.reason.QuotaExceeded', 'Quota exceeded'],
    ['shell.section.control-plane', 'Control plane'],
    ['a.', '…'],
    ['', '…'],
  ])('is the name of the code %j in words, and counted, where no locale has one', (code, words) => {
    const { say, problems } = texts()
    expect(say(code)).toBe(words)
    expect(problems).toEqual([{ kind: 'missing', code, locale: 'en' }])
  })

  test.each([{}, { n: 'many', clusters: null }, { n: {}, clusters: undefined }])(
    'survives arguments that do not fit: %j',
    (args) => {
      const { say } = texts()
      expect(say('held', args)).toMatch(/\S/)
    },
  )

  test('has marked parts that the caller draws', () => {
    const { text } = texts()
    const parts = text.rich<{ link: string }, never>(
      'linked' as never,
      { name: 'queue', link: (chunks: unknown) => ({ link: String(chunks) }) } as never,
    )
    expect(parts).toEqual(['Read ', { link: 'the queue guide' }, ' first.'])
  })

  test('gives plain strings back: old journals and Kubernetes objects have them', () => {
    expect(texts().text.of('as it was')).toBe('as it was')
  })
})

describe('locale of a reader', () => {
  test.each([
    [undefined, undefined, 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', undefined, 'zh-CN'],
    ['fr, zh-Hant;q=0.5, en;q=0.2', undefined, 'zh-CN'],
    ['de', undefined, 'en'],
    ['zh;q=0, en', undefined, 'en'],
    ['zh-CN', 'en', 'en'],
    ['en', 'zh-CN', 'zh-CN'],
    ['en', '__proto__', 'en'],
    [';;q=,,=;q=x', 'zh', 'en'],
  ])('for %j with the choice %j is %s', (header, chosen, locale) => {
    expect(negotiateLocale(header, chosen)).toBe(locale)
  })
})
