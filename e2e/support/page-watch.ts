/** Looks at a page many times a second, as a person who never blinks. */
import type { Page } from '@playwright/test'

export interface Glimpses {
  /** Fewest rows that were ever on screen. */
  leastRows: number
  /** Error pages, each once. */
  errors: string[]
  /** States of the freshness chip, each change once. */
  words: string[]
}

/** Begins to look. The page must show its rows already, and must not be left. */
export async function watchPage(page: Page): Promise<() => Promise<Glimpses>> {
  await page.evaluate(() => {
    const seen = { leastRows: Infinity, errors: [] as string[], words: [] as string[] }
    const look = (): void => {
      seen.leastRows = Math.min(seen.leastRows, document.querySelectorAll('[data-testid=workload-row]').length)
      const word = document.querySelector('[data-freshness]')?.getAttribute('data-freshness') ?? 'none'
      if (seen.words.at(-1) !== word) seen.words.push(word)
      const error = /Application error|went wrong|Internal Server Error|404|This page could not/i.exec(
        document.body.innerText,
      )?.[0]
      if (error !== undefined && !seen.errors.includes(error)) seen.errors.push(error)
    }
    setInterval(look, 50)
    Object.assign(window, { glimpses: seen })
  })
  return () => page.evaluate(() => (window as unknown as { glimpses: Glimpses }).glimpses)
}
