import { describe, expect, it } from 'vitest'
import { type KeyPress, matchShortcut } from './shortcuts'

const bindings = [
  { keys: '/', label: 'filter' },
  { keys: 'g f', label: 'fleet' },
  { keys: 'p', label: 'plan' },
  { label: 'without a key' },
]
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  modal: false,
  ...more,
})

describe('matching a key press', () => {
  const cases: [name: string, press: KeyPress, pending: string | undefined, result: object][] = [
    ['fires a single key', press('/'), undefined, { keys: '/' }],
    ['waits after the first key of a sequence', press('g'), undefined, { pending: 'g' }],
    ['fires the sequence', press('f'), 'g', { keys: 'g f' }],
    ['drops the pending key when no shortcut has the sequence', press('x'), 'g', {}],
    ['does not fire a single key as the end of a sequence', press('p'), 'g', {}],
    ['leaves letters to a text field', press('p', { typing: true }), undefined, {}],
    ['leaves keys to an open dialog', press('p', { modal: true }), undefined, {}],
    ['leaves Ctrl to the browser', press('p', { ctrlKey: true }), undefined, {}],
    ['ignores an unknown key', press('z'), undefined, {}],
  ]
  it.each(cases)('%s', (_name, key, pending, result) => {
    expect(matchShortcut(bindings, key, pending)).toEqual(result)
  })
})
