/** Finds the scripts that a page fetches as soon as its own code runs, so that its head can name them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Locale, LOCALES } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'

/** A text that only the code of the socket has. */
const OF_SOCKET = 'xhr poll error' // upstream: engine.io-client

/** Paths below `/_next/`. */
interface FirstChunks {
  /** For pages that show nothing before the stream does. */
  socket: string[]
  texts: Record<Locale, string[]>
  laterTexts: Record<Locale, string[]>
}

/** Writes `first-chunks.json` into the folder of a build; chunks have names of their content, which no manifest explains. */
export function writeFirstChunks(build: string): void {
  const folder = join(build, 'static/chunks')
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ path: `static/chunks/${name}`, source: readFileSync(join(folder, name), 'utf8') }))
  const withText = (text: string): string[] =>
    sources.filter(({ source }) => source.includes(text)).map(({ path }) => path)
  const withMessage = (code: 'shell.description' | 'timeline.notObserved') =>
    Object.fromEntries(LOCALES.map((locale) => [locale, withText(JSON.stringify(texts[locale](code)))])) as Record<
      Locale,
      string[]
    >
  const chunks: FirstChunks = {
    socket: withText(OF_SOCKET),
    texts: withMessage('shell.description'),
    laterTexts: withMessage('timeline.notObserved'),
  }
  writeFileSync(join(build, 'first-chunks.json'), JSON.stringify(chunks))
}
