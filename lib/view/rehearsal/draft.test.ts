import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import {
  ASSERTION_FIELDS,
  type AssertionKind,
  EXAMPLES,
  exampleText,
  lossText,
  problemsIn,
  readDraft,
  STEP_FIELDS,
  type Verb,
  withKind,
  withRow,
  withValue,
} from './draft'

const NAMES = ['eu-1', 'eu-2', 'us-1']
const told = (text: string): string[] => problemsIn(text).map(({ message }) => english.of(message))

test.each(EXAMPLES)('the example %s is a scenario, with one cluster and with several', (example) => {
  for (const clusters of [NAMES, NAMES.slice(0, 1), []]) expect(told(exampleText(example, clusters))).toEqual([])
})

test('the loss of given clusters is a scenario that loses them at once', () => {
  const text = lossText(['eu-1', 'us-1'])
  expect(told(text)).toEqual([])
  expect(readDraft(text)?.steps).toEqual([{ at: '0s', kind: 'lose', given: { clusters: ['eu-1', 'us-1'] } }])
})

describe('a row of another kind is valid at once, and keeps its clusters', () => {
  const text = exampleText('outage', NAMES)
  test.each(Object.keys(STEP_FIELDS) as Verb[])('the step %s', (verb) => {
    const changed = withKind(text, { part: 'steps', index: 1 }, verb)
    expect(told(changed)).toEqual([])
    expect(readDraft(changed)?.steps[1]).toMatchObject({
      at: '5m',
      kind: verb,
      given: 'clusters' in STEP_FIELDS[verb] ? { clusters: ['eu-1'] } : {},
    })
  })
  test.each(Object.keys(ASSERTION_FIELDS) as AssertionKind[])('the assertion %s', (kind) => {
    expect(told(withKind(text, { part: 'assertions', index: 0 }, kind))).toEqual([])
  })
})

test('rows are added and removed, and comments and the rest stay as they are written', () => {
  const text = `# why\n${exampleText('outage', NAMES)}`
  const more = withRow(withRow(text, 'steps', NAMES), 'assertions', NAMES)
  expect(more.startsWith('# why\n')).toBe(true)
  expect(told(more)).toEqual([])
  expect(readDraft(more)).toMatchObject({ steps: [{}, {}, { at: '5m', kind: 'lose' }], assertions: { length: 5 } })
  expect(readDraft(withValue(more, ['spec', 'steps', 0], undefined))?.steps).toHaveLength(2)
  expect(readDraft(withRow('spec: {}', 'steps', NAMES))?.steps).toHaveLength(1)
})

test('problems have their line, and what is not even YAML has no rows', () => {
  const text = exampleText('outage', NAMES).replace('recover:', 'explode:')
  expect(problemsIn(text)).toMatchObject([{ line: expect.any(Number) as number }])
  expect(readDraft(text)?.steps[1]).toEqual({ at: '5m', kind: '', given: {} })
  expect(readDraft('{')).toBeUndefined()
  expect(problemsIn('{')).toHaveLength(1)
  expect(readDraft('[1]')).toEqual({ name: '', duration: '', steps: [], assertions: [] })
})
