import { expect, test } from 'vitest'
import { freezeDeeply } from './freeze'

test('nothing in a frozen value can be changed', () => {
  const value = freezeDeeply({ list: [{ a: 1 }] })
  expect(() => value.list.push({ a: 2 })).toThrow(TypeError)
  expect(() => Object.assign(value.list[0]!, { a: 2 })).toThrow(TypeError)
})

test('a field without a value is refused', () => {
  expect(() => freezeDeeply({ a: { b: undefined } })).toThrow('the field b is there without a value')
})
