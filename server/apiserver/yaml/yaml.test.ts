import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { readYamlBody, toYaml, YamlThread } from './yaml'

const PADDING = `#${'x'.repeat(9000)}\n`

const refuse = (detail: string): Error => new Error(detail)

/** Shorter blocks delay no other request noticeably. */
const SHORT_MS = 50

/**
 * The longest continuous computation of the event loop during `work`, as a share of the total time; 0 for a short one,
 * because a share of a few milliseconds is not meaningful.
 */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let longest = 0
  let last = performance.eventLoopUtilization()
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    longest = Math.max(longest, now.active - last.active)
    last = now
  }
  const timer = setInterval(look, 1)
  await work().catch(() => undefined)
  look()
  clearInterval(timer)
  return longest < SHORT_MS ? 0 : longest / (performance.now() - began)
}

describe('long YAML', () => {
  test.each([
    ['maps in each other', `x: ${'{a: '.repeat(37_000)}`],
    ['words on one line', `x: ${'a '.repeat(100_000)}`],
    ['keys on one line', `x: ${'a:'.repeat(100_000)}`],
    ['lines', 'x:\n'.concat('- name: e\n  value: v\n'.repeat(20_000))],
  ])('is read beside the event loop: %s', async (_, text) => {
    await readYamlBody(PADDING, refuse)
    expect(await longestBlock(() => readYamlBody(text, refuse))).toBeLessThan(0.5)
  })

  test('is written beside the event loop', async () => {
    const list = { items: Array.from({ length: 20_000 }, (_, n) => ({ name: `n${n}`, value: 'v' })) }
    const text = JSON.stringify(list)
    expect(await toYaml(text)).toMatch(/^items:\n- name: n0\n  value: v\n/)
    expect(await longestBlock(() => toYaml(text))).toBeLessThan(0.5)
  })

  test('says the same as a short text: values, repeated keys, and names that every object has', async () => {
    const lines = 'a: 1\na: 2\n__proto__: {b: 1.5}\nwhen: 2001-01-01\n'
    const short = await readYamlBody(lines, refuse)
    const long = await readYamlBody(lines + PADDING, refuse)
    expect(long).toEqual(short)
    expect(Object.keys(long.value as object)).toEqual(['a', '__proto__', 'when'])
    expect(long.repeatedLines).toEqual([2])
  })

  test('is refused for what is wrong with it, and does not stop the next', async () => {
    await expect(readYamlBody(`${PADDING}x: ${'['.repeat(20_000)}`, refuse)).rejects.toThrow()
    await expect(readYamlBody(`${PADDING}x: ${'{a: '.repeat(1200)}${'}'.repeat(1200)}`, refuse)).rejects.toThrow(
      'exceeded max depth',
    )
    await expect(readYamlBody('a'.repeat(513 * 1024), refuse)).rejects.toMatchObject({ status: { code: 413 } })
    await expect(readYamlBody(`${PADDING}x: 1`, refuse)).resolves.toMatchObject({ value: { x: 1 } })
  })
  test('is refused when it takes too long, and the next is read', async () => {
    const thread = new YamlThread(1)
    await expect(thread.run({ read: 'x: 1\n'.repeat(50_000) })).rejects.toMatchObject({ status: { code: 413 } })
    await expect(new YamlThread().run({ read: 'x: 1' })).resolves.toMatchObject({ value: { x: 1 } })
  })
})
