'use client'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '../messages/use-text'
import { IconButton } from './button'

const COPIED_MS = 2000

/** Monospace text that scrolls, with a button that copies all of it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const texts = useText()
  return (
    <div className="flex rounded-panel border border-line bg-raised">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="max-h-96 min-w-0 grow overflow-auto py-2 pl-3">
        <pre className="mono">{text}</pre>
      </section>
      <div className="p-1">
        <CopyButton text={text} label={texts('common.copy', { what: label })} />
      </div>
    </div>
  )
}

/** Copies the text and confirms it for two seconds, or reports that the browser does not allow it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const texts = useText()
  const [result, setResult] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), COPIED_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () => void copyText(text).then((done) => setResult(done ? 'copied' : 'refused'))
  const spoken = { copied: texts('common.copied'), refused: texts('common.copyRefused') }
  return (
    <IconButton label={result === undefined ? label : spoken[result]} onClick={copy} className="bg-raised">
      {result === 'copied' ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
    </IconButton>
  )
}

/** The clipboard exists only on secure pages, and may still refuse. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
