import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')

/** The tokens of one rule of the style sheet. */
function tokensOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`)
  const body = css.slice(start, css.indexOf('\n}', start))
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]))
}

const THEMES = { light: tokensOf(':root'), dark: tokensOf("[data-theme='dark']") }

/** WCAG 2.2: relative luminance and contrast. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) throw new Error('no such token')
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

describe.each(Object.entries(THEMES))('the colours of pictures in the %s theme', (_, tokens) => {
  it.each(['starting', 'lost', 'held', 'predicted', 'limit', 'recovered'])('show %s on every surface (3:1)', (name) => {
    for (const surface of ['paper', 'raised', 'sunken'])
      expect(contrast(tokens[`chart-${name}`], tokens[surface]), surface).toBeGreaterThanOrEqual(3)
  })

  it.each(['starting', 'lost', 'held', 'predicted'])('tell the lines of %s from their ground (3:1)', (name) => {
    expect(contrast(tokens[`chart-${name}`], tokens[`chart-${name}-fill`])).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['ink', 'chart-ready'],
    ['paper', 'chart-recovered'],
    ['ink', 'chart-starting-fill'],
    ['ink', 'chart-lost-fill'],
    ['ink', 'chart-held-fill'],
    ['chart-lost', 'chart-lost-fill'],
    ...[1, 2, 3, 4, 5].map((step) => ['ink', `amount-${step}`]),
    ...[6, 7].map((step) => ['paper', `amount-${step}`]),
  ])('let %s be read on %s (4.5:1)', (label, ground) => {
    expect(contrast(tokens[label], tokens[ground])).toBeGreaterThanOrEqual(4.5)
  })

  it('tell losses from their cells, and the dot of the worst from its square (3:1)', () => {
    for (const step of [1, 2, 3]) expect(contrast(tokens[`loss-${step}`], tokens['amount-1'])).toBeGreaterThanOrEqual(3)
    expect(contrast(tokens['loss-3'], tokens.paper)).toBeGreaterThanOrEqual(3)
  })

  it('distinguish recovered replicas from older ones by lightness', () => {
    expect(contrast(tokens['chart-recovered'], tokens['chart-ready'])).toBeGreaterThanOrEqual(2)
  })
})
