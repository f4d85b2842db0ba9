import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { catalogue as en } from './en'
import { catalogue as zh } from './zh-CN'

/** Names of the arguments and marks of a text, sorted. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>()
  const visit = (parts: readonly MessageFormatElement[]): void => {
    for (const part of parts) {
      if (part.type === TYPE.tag) {
        names.add(`<${part.value}>`)
        visit(part.children)
      } else if (part.type !== TYPE.literal && part.type !== TYPE.pound) names.add(part.value)
      if ('options' in part) for (const { value } of Object.values(part.options)) visit(value)
    }
  }
  visit(parse(text))
  return [...names].toSorted()
}

/** Words that the language guide replaces: an indefinite pronoun is a missing noun, a metaphor a missing term. */
const AVOIDED =
  /\b(somebody|nobody|whoever|everybody|anybody|no one can tell|kept? back|stands? in (the )?line|latecomers?|all the same|at present|mend)\b/i

/** Chinese words that the glossary replaces, so that one concept has one word. */
const AVOIDED_ZH = /您|过滤|控制平面|优先级类别|暂停调度|亲和组|分散约束|(?<!Resource)Binding |内置控制面/
/** Punctuation of Latin script beside a Chinese character, and Latin letters or digits that touch one. */
const HALF_WIDTH = /\p{sc=Han}[,;:?!(]|[,;:?!)]\p{sc=Han}/u
const TOUCHING = /\p{sc=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{sc=Han}/u

/** The words of a text as they are on screen, without arguments. */
function wordsOf(text: string): string[] {
  const words: string[] = []
  const visit = (parts: readonly MessageFormatElement[]): void => {
    for (const part of parts) {
      if (part.type === TYPE.literal) words.push(part.value)
      if (part.type === TYPE.tag) visit(part.children)
      if ('options' in part) for (const { value } of Object.values(part.options)) visit(value)
    }
  }
  visit(parse(text))
  return words
}

describe('the catalogues', () => {
  const codes = Object.keys(en) as (keyof typeof en)[]

  test('have the same codes', () => {
    expect(Object.keys(zh).toSorted()).toEqual(codes.toSorted())
  })

  test.each(codes)('%s has a text and the same arguments in every locale', (code) => {
    expect(en[code].trim()).not.toBe('')
    expect(zh[code].trim()).not.toBe('')
    expect(argumentsOf(zh[code])).toEqual(argumentsOf(en[code]))
  })

  test('have no mark with the name of an argument: its element would take the place of the value', () => {
    const clash = (names: readonly string[]) => names.some((name) => names.includes(`<${name}>`))
    expect(codes.filter((code) => clash(argumentsOf(en[code])))).toEqual([])
  })

  test('English follows the language guide', () => {
    expect(codes.filter((code) => AVOIDED.test(en[code])).map((code) => `${code}: ${en[code]}`)).toEqual([])
  })

  test.each([
    ['the words of the glossary', AVOIDED_ZH],
    ['full-width punctuation', HALF_WIDTH],
    ['a space between Chinese and Latin script', TOUCHING],
  ])('Chinese has %s', (_, wrong) => {
    expect(
      codes.filter((code) => wordsOf(zh[code]).some((words) => wrong.test(words))).map((code) => zh[code]),
    ).toEqual([])
  })

  test('Chinese is not English left as it was', () => {
    const sentences = codes.filter((code) => /[a-z]+ [a-z]+ [a-z]+/.test(en[code]) && en[code] === zh[code])
    expect(sentences).toEqual([])
  })
})
