import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locale } from '@/lib/messages'

let known: Partial<Record<Locale, string[]>> | undefined

/** Addresses of scripts that a page asks for as soon as its own code runs; none without a build, in development. */
export function firstChunks(locale: Locale): string[] {
  known ??= read(join(process.cwd(), '.next/first-chunks.json'))
  return (known[locale] ?? []).map((path) => `/_next/${path}`)
}

const read = (file: string): Partial<Record<Locale, string[]>> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<Locale, string[]>) : {}
