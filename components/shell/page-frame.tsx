'use client'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import type { FreshnessView } from '@/lib/view/live-client'
import { CommandsButton } from '../commands/commands-provider'
import { describeTrouble } from '../hooks/freshness'
import { useMay } from '../hooks/use-can'
import { noteShown } from '../hooks/settled'
import { useRowKeys } from '../hooks/use-row-keys'
import { useText } from '../messages/use-text'
import { Notice } from '../ui/notice'
import { useAnnounce } from './announcer'
import { FreshnessChip } from './freshness-chip'
import { useKeptScroll } from './use-kept-scroll'

interface PageFrameProps {
  title: ReactNode
  /** The title of the document, where `title` is more than text. */
  documentTitle?: string
  /** Absent on pages without live data. */
  freshness?: FreshnessView
  /** Beside the title: filter and actions. */
  actions?: ReactNode
  /** The second line: counts, toggles. Without one the header is a single line. */
  subline?: ReactNode
  /** True where nothing on the page takes the focus: the keyboard must reach the page itself to scroll it. */
  plain?: boolean
  /** True when there is data on the page that a lost connection makes old. */
  loaded?: boolean
  children: ReactNode
}

/** Header and body of a page. Every page says how fresh it is, and keeps its last good data when it is not. */
export function PageFrame({
  title,
  documentTitle,
  freshness,
  actions,
  subline,
  plain = false,
  loaded = false,
  children,
}: PageFrameProps) {
  const text = useText()
  const main = useRef<HTMLElement>(null)
  useKeptScroll(main, 'page')
  useRowKeys(main)
  const stands = loaded || freshness === undefined || freshness.word === 'Refused'
  useEffect(() => {
    if (stands) noteShown('page')
  }, [stands])
  const name = documentTitle ?? (typeof title === 'string' ? title : '')
  return (
    <>
      <title>{text('shell.pageTitle', { page: name })}</title>
      <header data-chrome className="shrink-0 border-b border-line px-6 pt-3 pb-2">
        <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
          <h1 className="min-w-0 text-title break-words max-wide:flex-1">{title}</h1>
          <div className="flex grow flex-wrap items-center justify-end gap-2 max-wide:order-last max-wide:w-full max-wide:justify-start">
            {actions}
          </div>
          <div className="max-wide:ml-auto">
            <CommandsButton />
          </div>
          {subline === undefined && (
            <FreshnessPlace freshness={freshness} className="min-w-36 max-wide:order-last max-wide:w-full" />
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 not-empty:min-h-7">
          {subline !== undefined && (
            <div className="-ml-2 flex min-w-0 grow flex-wrap items-center gap-x-4">{subline}</div>
          )}
          {freshness !== undefined && freshness.word !== 'Refused' && <Coverage />}
          {subline !== undefined && <FreshnessPlace freshness={freshness} className="ml-auto min-w-52" />}
        </div>
      </header>
      <main
        ref={main}
        id="content"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        tabIndex={plain ? 0 : -1}
        className={clsx(
          'relative flex min-h-0 grow flex-col overflow-auto',
          plain ? '-outline-offset-2' : 'outline-none',
        )}
      >
        {children}
      </main>
      {freshness !== undefined && <StaleBanner freshness={freshness} loaded={loaded} />}
    </>
  )
}

/** Wide enough for the longest label of the chip, so that the header keeps its height. */
function FreshnessPlace({ freshness, className }: { freshness: FreshnessView | undefined; className: string }) {
  return freshness === undefined ? null : (
    <div className={clsx('flex justify-end', className)}>
      <FreshnessChip freshness={freshness} />
    </div>
  )
}

const EVERYTHING = [{ group: 'work.karmada.io', resource: 'resourcebindings', verb: 'list' }] as const

/** Shows that totals are partial, to users who may not list all namespaces. */
function Coverage() {
  const text = useText()
  const everything = useMay(EVERYTHING)
  return everything.known && !everything.allowed ? (
    <span className="text-ink-2" data-testid="coverage">
      {text('shell.covers')}
    </span>
  ) : null
}

/**
 * Shows that the data above is old, since when and why, and that no action is needed. At the end of the page, so that
 * rows do not move when a connection is lost.
 */
function StaleBanner({ freshness, loaded }: { freshness: FreshnessView; loaded: boolean }) {
  const text = useText()
  const announce = useAnnounce()
  const trouble = describeTrouble(text, freshness, loaded)
  const sentence = trouble?.sentence ?? ''
  useEffect(() => {
    if (sentence !== '') announce(sentence)
  }, [announce, sentence])
  if (trouble === undefined) return null
  return (
    <Notice state={trouble.state}>
      <span data-testid="stale-banner">{sentence}</span>
    </Notice>
  )
}
