'use client'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../hooks/use-shortcuts'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'

const SETTLE_MS = 150

interface FilterFieldProps {
  /** What may be typed: "name, ns=, cluster=". */
  hint: string
}

/** The filter of the page, kept in `?q=`. `/` goes there, Esc clears it and, when it is empty, leaves it. */
export function FilterField({ hint }: FilterFieldProps) {
  const texts = useText()
  const { get, tweak } = useUrlState()
  const inAddress = get('q') ?? ''
  const [draft, setDraft] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', texts('shell.filterPage'), () => input.current?.focus())
  useEffect(() => {
    if (draft === undefined) return
    const timer = setTimeout(() => {
      tweak({ q: draft })
      setDraft(undefined)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [draft, tweak])
  const text = draft ?? inAddress
  const clear = () => setDraft('')
  return (
    <div className="relative flex items-center max-wide:grow">
      <Search size={14} aria-hidden="true" className="pointer-events-none absolute left-2 text-ink-2" />
      <input
        ref={input}
        type="text"
        aria-label={texts('shell.filter')}
        placeholder={hint}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && (text === '' ? input.current?.blur() : clear())}
        spellCheck={false}
        autoComplete="off"
        className="h-7 w-80 max-w-[60vw] rounded-control max-wide:w-full max-wide:max-w-none border border-line-strong bg-paper pr-7 pl-7 placeholder:text-ink-2"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={texts('shell.clearFilter')}
          onClick={clear}
          className="absolute right-0.5 flex size-6 items-center justify-center text-ink-2 hover:text-ink"
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
