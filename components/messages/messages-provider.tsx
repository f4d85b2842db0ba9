'use client'
import { type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { createText, type Locale, type MessageProblem } from '@/lib/messages'
import { loadArea, loadCatalogue, wantCatalogue } from '@/lib/messages/load'
import { browserClock } from '../hooks/browser-clock'
import { Later } from '../hooks/later'
import { replaceOutdatedPage } from '../hooks/page-build'
import { whenSettled } from '../hooks/settled'
import { TextContext } from './use-text'

// Fetched before React starts, which would ask for it last.
if (typeof document !== 'undefined') wantCatalogue(document.documentElement.lang)

/** Gives every component below it the texts of one locale. Waits for those of the first picture; the others follow it. */
export function MessagesProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const catalogue = use(loadCatalogue(locale))
  const rest = useMemo(() => new LaterTexts(locale), [locale])
  // The function is replaced only if a text was asked for too early; otherwise nothing renders again.
  const [answered, answer] = useState<LaterTexts>()
  useEffect(() => {
    rest.onAnswer = () => answer(rest)
    return whenSettled(rest.want)
  }, [rest])
  const text = useMemo(
    () => createText({ locale, catalogue, isAwaited: rest.isAwaited, onProblem: warn }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function makes all who use it draw again
    [locale, catalogue, rest, answered],
  )
  return <TextContext value={text}>{children}</TextContext>
}

/** The texts of a locale that follow the first picture. */
class LaterTexts {
  readonly #texts: Later<true>
  #wasAsked = false
  /** Called when they are there, if a text of them was asked for before. */
  onAnswer: () => void = () => undefined

  constructor(locale: Locale) {
    this.#texts = new Later(
      () => loadArea('later', locale).then(() => true as const),
      browserClock,
      replaceOutdatedPage,
    )
    this.#texts.subscribe(() => this.#wasAsked && this.onAnswer())
  }

  readonly want = (): void => this.#texts.want()

  readonly isAwaited = (): boolean => {
    const isAwaited = this.#texts.get() === undefined
    this.#wasAsked ||= isAwaited
    return isAwaited
  }
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
