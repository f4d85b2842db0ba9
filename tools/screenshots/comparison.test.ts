import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { comparison } from './comparison'
import { decode, encode } from './png'
import { signatureOf, writeSignatures } from './signatures'

let kept: string
let folder: string

beforeEach(() => {
  kept = mkdtempSync(join(tmpdir(), 'evenkeel-kept-'))
  folder = join(kept, 'differences')
})
afterEach(() => rmSync(kept, { recursive: true }))

/** A white picture whose first `dark` pixels are black. */
function png(dark: number): Buffer {
  const rgb = new Uint8Array(40 * 40 * 3).fill(255)
  rgb.fill(0, 0, dark * 3)
  return encode({ width: 40, height: 40, rgb })
}

test('equal pictures and a few different pixels are no finding', async () => {
  writeFileSync(join(kept, 'page.en.png'), png(100))
  const { keep, findings } = comparison({ kept, folder })
  await keep({ file: 'page.en.png', png: png(100) })
  await keep({ file: 'page.en.png', png: png(104) })
  expect(findings).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a picture that differs is written beside the differing pixels', async () => {
  writeFileSync(join(kept, 'page.en.png'), png(100))
  const { keep, findings } = comparison({ kept, folder })
  await keep({ file: 'page.en.png', png: png(160) })
  expect(findings).toEqual([expect.stringContaining('page.en.png differs in 60 pixels')])
  expect(readdirSync(folder).sort()).toEqual(['page.en.difference.png', 'page.en.png'])
})

test('a scene without a kept picture is a finding', async () => {
  const { keep, findings } = comparison({ kept, folder })
  await keep({ file: 'new.en.png', png: png(1) })
  expect(findings).toEqual([expect.stringContaining('new.en.png is new')])
})

test('a picture of which only a signature is kept is a finding when it differs, or has no signature yet', async () => {
  writeSignatures(kept, new Map([['page.en-dark.png', signatureOf(decode(png(0)))]]))
  const { sign, findings } = comparison({ kept, folder })
  await sign({ file: 'page.en-dark.png', png: png(0) })
  expect(findings).toEqual([])
  await sign({ file: 'page.en-dark.png', png: png(400) })
  await sign({ file: 'other.en-dark.png', png: png(0) })
  expect(findings).toEqual([
    expect.stringContaining('page.en-dark.png differs in'),
    expect.stringContaining('other.en-dark.png is new'),
  ])
})
