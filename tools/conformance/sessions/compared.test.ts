/** Earlier findings of a comparison with a real kube-apiserver 1.36, in the form of the exchanges. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sessionSuites } from './index'

const FILE = fileURLToPath(new URL('../vectors/apiserver/compared.jsonl', import.meta.url))

test('the embedded server answers as the real one did', async () => {
  const outcomes = await sessionSuites.exchanges!(FILE, undefined)
  expect(outcomes.length).toBeGreaterThan(30)
  expect(outcomes.filter(({ reason, skipped }) => reason !== undefined || skipped)).toEqual([])
}, 120_000)
