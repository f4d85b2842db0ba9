'use client'
import { clsx } from 'clsx'
import { useState } from 'react'
import { useText } from '../messages/use-text'
import { Link } from './link'

/** Shorter texts always fit. */
const MAY_BE_CUT = 24

const CUT = { 1: 'truncate', 2: 'line-clamp-2 break-words', 3: 'line-clamp-3 break-words' } as const

interface CutTextProps {
  text: string
  /** Where the text leads to. A button behind it then shows all of it. */
  href?: string
  /** Lines that are shown of a text that is cut. */
  lines?: 1 | 2 | 3
  className?: string
}

/** A text that may be cut where there is little room: a click, or Enter, shows all of it in place, and cuts it again. */
export function CutText({ text, href, lines = 1, className }: CutTextProps) {
  const [open, setOpen] = useState(false)
  const shape = clsx(open ? 'break-words whitespace-normal' : CUT[lines], className)
  if (href !== undefined)
    return <CutLink text={text} href={href} shape={shape} open={open} onToggle={() => setOpen(!open)} />
  if (text.length <= MAY_BE_CUT) return <span className={clsx('block truncate', className)}>{text}</span>
  return (
    <button
      type="button"
      data-cut-text
      aria-expanded={open}
      title={open ? undefined : text}
      onClick={() => setOpen(!open)}
      className={clsx('max-w-full min-w-6 text-left align-top -outline-offset-2', shape)}
    >
      {text}
    </button>
  )
}

interface CutLinkProps {
  text: string
  href: string
  shape: string
  open: boolean
  onToggle: () => void
}

function CutLink({ text, href, shape, open, onToggle }: CutLinkProps) {
  const texts = useText()
  return (
    <span className="flex items-baseline">
      <Link href={href} className={clsx('min-w-0 -outline-offset-2 hover:underline', shape)}>
        {text}
      </Link>
      {text.length > SHORT_LINK && (
        <button
          type="button"
          aria-expanded={open}
          aria-label={texts('common.fullName', { name: text })}
          onClick={onToggle}
          className="size-6 shrink-0 text-ink-2 -outline-offset-2"
        >
          …
        </button>
      )}
    </span>
  )
}

/** Links stand in narrow columns. */
const SHORT_LINK = 10
