/** Which browser and letters the kept pictures were made with: others draw the same page differently. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'

export interface Maker {
  /** Major version of Chromium. */
  chromium: string
  /** Digest of a line of text in both languages, as this machine draws it. */
  letters: string
}

const SAMPLE =
  '<body style="font: 16px sans-serif">Replicas 0123 重新平衡 副本 <code style="font-family: monospace">apply -f</code></body>'

export async function makerOf(browser: Browser): Promise<Maker> {
  const page = await browser.newPage({ viewport: { width: 480, height: 40 } })
  await page.setContent(SAMPLE)
  const letters = createHash('sha256')
    .update(await page.screenshot())
    .digest('hex')
    .slice(0, 16)
  await page.close()
  return { chromium: browser.version().split('.')[0] ?? '', letters }
}

const fileIn = (folder: string): string => join(folder, 'made-with.json')

export const readMaker = (folder: string): Maker => JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Maker

export function writeMaker(folder: string, maker: Maker): void {
  writeFileSync(fileIn(folder), `${JSON.stringify(maker, undefined, 2)}\n`)
}

/** Why pictures of the one cannot be compared with those of the other. */
export function differsFrom(kept: Maker, now: Maker): string | undefined {
  if (kept.chromium !== now.chromium)
    return `The kept pictures were made with Chromium ${kept.chromium}; this one is ${now.chromium}.`
  if (kept.letters !== now.letters) return 'The kept pictures were made with other fonts than this machine has.'
  return undefined
}
