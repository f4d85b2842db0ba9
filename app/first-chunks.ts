import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locale } from '@/lib/messages'

interface FirstChunks {
  socket?: string[]
  texts?: Partial<Record<Locale, string[]>>
}

let known: FirstChunks | undefined

/** Addresses of scripts that a page asks for as soon as its own code runs; none without a build, in development. */
export function firstChunks(locale: Locale, { needsSocket }: { needsSocket: boolean }): string[] {
  known ??= read(join(process.cwd(), '.next/first-chunks.json'))
  return [...((needsSocket && known.socket) || []), ...(known.texts?.[locale] ?? [])].map((path) => `/_next/${path}`)
}

const read = (file: string): FirstChunks =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FirstChunks) : {}
