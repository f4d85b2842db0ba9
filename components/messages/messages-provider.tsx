'use client'
import { type ReactNode, use, useMemo } from 'react'
import { createText, type Locale, type MessageProblem } from '@/lib/messages'
import { loadCatalogue, wantCatalogue } from '@/lib/messages/load'
import { TextContext } from './use-text'

// Fetched before React starts, which would ask for it last.
if (typeof document !== 'undefined') wantCatalogue(document.documentElement.lang)

/** Gives every component below it the texts of one locale. Waits for the catalogue. */
export function MessagesProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const catalogue = use(loadCatalogue(locale))
  const text = useMemo(() => createText({ locale, catalogue, onProblem: warn }), [locale, catalogue])
  return <TextContext value={text}>{children}</TextContext>
}

const warned = new Set<string>()

/** Logs the problem of a message once. */
function warn({ kind, code, locale }: MessageProblem): void {
  const key = `${kind} ${code} ${locale}`
  if (warned.has(key)) return
  warned.add(key)
  // oxlint-disable-next-line no-console -- the console of the browser is where its developers look
  console.warn(`Message ${code} (${locale}): ${kind === 'missing' ? 'no such text' : 'an argument does not fit'}.`)
}
