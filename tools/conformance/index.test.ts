import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { main } from './'

let printed: string[]
beforeEach(() => {
  printed = []
  const print = (line: string): void => void printed.push(line)
  vi.spyOn(console, 'log').mockImplementation(print)
  vi.spyOn(console, 'error').mockImplementation(print)
})
afterEach(() => vi.restoreAllMocks())

function fileOf(...cases: object[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'cases.jsonl')
  writeFileSync(file, cases.map((one) => JSON.stringify(one)).join('\n'))
  return file
}

const named = (name: string, bindingName: string) => ({
  name: `rebalancer/binding-name/${name}`,
  input: { kind: 'Deployment', name: 'web' },
  output: { bindingName },
})

test('a file whose cases all pass ends well', async () => {
  expect(await main(['rebalancer', fileOf(named('1', 'web-deployment'))])).toBe(0)
  expect(printed).toEqual(['1 passed, 0 failed'])
})

test('failing cases are named with a reason, and the count comes last', async () => {
  expect(await main(['rebalancer', fileOf(named('1', 'web-deployment'), named('2', 'other'))])).toBe(1)
  expect(printed).toEqual([
    'rebalancer/binding-name/2: bindingName: got "web-deployment", recorded "other"',
    '1 passed, 1 failed',
  ])
})

test('an unknown suite is refused with the list of existing ones', async () => {
  expect(await main(['nonsense'])).not.toBe(0)
  expect(printed.join()).toMatch(/no suite "nonsense"; there are: .*division.*rebalancer/)
})

test('a missing file is refused', async () => {
  expect(await main(['rebalancer', '/nowhere.jsonl'])).not.toBe(0)
  expect(printed).toEqual(['conformance: no file "/nowhere.jsonl"'])
})
