import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locale } from '@/lib/messages'

type ByLocale = Partial<Record<Locale, string[]>>

/** As the build writes it (server/cli/first-chunks.ts). */
interface FirstChunks {
  socket: string[]
  texts: ByLocale
  laterTexts: ByLocale
}

/** What the first picture of a page needs besides its code and the texts of every page. */
interface Needs {
  socket: boolean
  laterTexts: boolean
}

let known: FirstChunks | undefined

/** Addresses of scripts that a page asks for as soon as its own code runs; none without a build, in development. */
export function firstChunks(locale: Locale, needs: Needs): string[] {
  known ??= read(join(process.cwd(), '.next/first-chunks.json'))
  const { socket, texts, laterTexts } = known
  const paths = [needs.socket ? socket : [], texts[locale] ?? [], (needs.laterTexts && laterTexts[locale]) || []].flat()
  return paths.map((path) => `/_next/${path}`)
}

const read = (file: string): FirstChunks =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FirstChunks) : { socket: [], texts: {}, laterTexts: {} }
