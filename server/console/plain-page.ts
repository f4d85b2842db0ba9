/** A page without scripts and files, for when Next.js cannot render one. */
import type { IncomingMessage } from 'node:http'
import { escapeMarkup } from '@/lib/std/markup'
import { textOf } from '@/server/bff/http/language'

export interface PlainPage {
  title: string
  /** Texts of paragraphs; they are escaped here. */
  paragraphs: readonly string[]
  links?: readonly { href: string; label: string }[]
  /** Seconds until the browser loads the page again. */
  reloadAfter?: number
}

/** The document, in the language of the request and with the nonce of its answer (`headers.ts`). */
export function plainPage(request: IncomingMessage, { title, paragraphs, links = [], reloadAfter }: PlainPage): string {
  const { locale } = textOf(request)
  const nonce = escapeMarkup(String(request.headers['x-nonce'] ?? ''))
  const rows = [
    ...paragraphs.map((text) => `<p>${escapeMarkup(text)}</p>`),
    ...(links.length > 0
      ? [
          `<p>${links.map(({ href, label }) => `<a href="${escapeMarkup(href)}">${escapeMarkup(label)}</a>`).join(' · ')}</p>`,
        ]
      : []),
  ]
  return `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${reloadAfter === undefined ? '' : `<meta http-equiv="refresh" content="${reloadAfter}">\n`}<title>${escapeMarkup(title)} · Evenkeel</title>
<style nonce="${nonce}">body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 40rem; padding: 0 1.5rem; overflow-wrap: anywhere }</style>
<main>
<h1>${escapeMarkup(title)}</h1>
${rows.join('\n')}
</main>
</html>
`
}
