'use client'
import { clsx } from 'clsx'
import {
  ArrowRightLeft,
  Braces,
  Columns3,
  Grid3x3,
  Hexagon,
  History,
  ListOrdered,
  type LucideIcon,
  Rows3,
  Scale,
  ServerCog,
} from 'lucide-react'
import { usePathname } from 'next/navigation'
import { ReadOnlyMark, UserMenu } from '../login/user-menu'
import { useText } from '../messages/use-text'
import { IconButton } from '../ui/button'
import { SECTIONS, type Section } from './sections'
import { LocaleSwitch } from './locale-switch'
import { ThemeSwitch } from './theme-switch'
import { Link } from '../ui/link'

const ICONS: Record<Section['id'], LucideIcon> = {
  fleet: Grid3x3,
  workloads: Rows3,
  failover: ArrowRightLeft,
  queues: ListOrdered,
  rebalancers: Scale,
  clusters: Hexagon,
  spread: Columns3,
  activity: History,
  'control-plane': ServerCog,
}

/** The pages, and at its foot the user, help, theme and language. On narrow screens it is a bar at the top. */
export function Sidebar({ onHelp }: { onHelp: () => void }) {
  const text = useText()
  return (
    <nav
      aria-label={text('shell.navigation')}
      className="flex shrink-0 items-center gap-1 overflow-x-auto border-line bg-raised px-2 py-1 max-wide:border-b wide:w-44 wide:flex-col wide:items-stretch wide:border-r wide:py-3"
    >
      <Link href="/fleet" className="flex h-7 items-center gap-2 rounded-control px-2 text-section wide:mb-3">
        <Mark />
        <span className="max-wide:sr-only">Evenkeel</span>
      </Link>
      <div className="flex gap-1 wide:flex-col">
        {SECTIONS.map((section) => (
          <SectionLink key={section.path} section={section} />
        ))}
      </div>
      <div className="flex items-center gap-1 max-wide:ml-auto wide:mt-auto wide:flex-col wide:items-stretch">
        <ReadOnlyMark />
        <UserMenu />
        <div className="flex items-center gap-1">
          <IconButton label={text('shell.keyboard')} onClick={onHelp}>
            <span aria-hidden="true">?</span>
          </IconButton>
          <ThemeSwitch />
          <LocaleSwitch />
          <Link
            href="/api-reference"
            aria-label={text('shell.apiReference')}
            title={text('shell.apiReference')}
            className="inline-flex size-7 items-center justify-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
          >
            <Braces size={14} strokeWidth={1.75} aria-hidden="true" />
          </Link>
        </div>
      </div>
    </nav>
  )
}

function SectionLink({ section }: { section: Section }) {
  const here = usePathname().startsWith(section.path)
  const text = useText()
  const Icon = ICONS[section.id]
  return (
    <Link
      href={section.path}
      prefetch
      aria-current={here ? 'page' : undefined}
      className={clsx(
        'flex h-7 items-center gap-2 rounded-control px-2 whitespace-nowrap hover:bg-sunken',
        here ? 'bg-sunken font-medium' : 'text-ink-2 hover:text-ink',
      )}
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="max-wide:sr-only">{text(`shell.section.${section.id}`)}</span>
    </Link>
  )
}

/** Three ledger lines, one of them short, and the disc that balances it. */
function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="fill-ink">
      <path d="M1 2.5h14v2H1zM1 7h8v2H1zM1 11.5h14v2H1z" />
      <circle cx="13" cy="8" r="2" />
    </svg>
  )
}
