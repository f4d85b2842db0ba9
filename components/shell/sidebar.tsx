'use client'
import { clsx } from 'clsx'
import {
  Activity,
  ArrowRightLeft,
  Braces,
  Columns3,
  FlaskConical,
  Grid3x3,
  Hexagon,
  History,
  LayoutDashboard,
  type LucideIcon,
  MapPin,
  Menu,
  Shield,
  SlidersVertical,
  TextAlignStart,
} from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useId, useState } from 'react'
import { useSettled } from '../hooks/settled'
import { ReadOnlyMark, UserMenu } from '../login/user-menu'
import { useText } from '../messages/use-text'
import { IconButton } from '../ui/button'
import { Link } from '../ui/link'
import { ControlPlaneSwitch } from './control-plane-switch'
import { LocaleSwitch } from './locale-switch'
import { SectionBadge } from './section-badge'
import { GROUPS, type Section, SECTIONS, sectionOf } from './sections'
import { ThemeSwitch } from './theme-switch'

const ICONS: Record<Section['id'], LucideIcon> = {
  overview: LayoutDashboard,
  incidents: Activity,
  rebalance: ArrowRightLeft,
  queues: TextAlignStart,
  workloads: Grid3x3,
  clusters: Hexagon,
  policies: MapPin,
  resilience: Shield,
  rehearsals: FlaskConical,
  spread: Columns3,
  activity: History,
  'control-plane': SlidersVertical,
}

/**
 * The pages, and at its foot the user, help, theme and language. On narrow screens a bar at the bottom has the pages that
 * are needed first, and a button that shows all of it.
 */
export function Sidebar({ onHelp }: { onHelp: () => void }) {
  const text = useText()
  const pathname = usePathname()
  const here = sectionOf(pathname)
  const all = useId()
  const [openAt, setOpenAt] = useState<string>()
  const open = openAt === pathname
  return (
    <nav
      aria-label={text('shell.navigation')}
      data-chrome
      className="relative z-10 shrink-0 border-line bg-raised max-wide:order-last max-wide:border-t wide:flex wide:w-44 wide:border-r"
    >
      <div
        id={all}
        className={clsx(
          'flex flex-col gap-0.5 bg-raised px-2 py-3 wide:w-full wide:overflow-y-auto',
          'max-wide:absolute max-wide:inset-x-0 max-wide:bottom-full max-wide:max-h-[75dvh] max-wide:overflow-y-auto max-wide:border-t max-wide:border-line',
          !open && 'max-wide:hidden',
        )}
      >
        <Link href="/overview" className="flex h-7 shrink-0 items-center gap-2 rounded-control px-2 text-section">
          <Mark />
          Evenkeel
        </Link>
        <ControlPlaneSwitch />
        {GROUPS.map((group) => (
          <Entries key={group} group={group} here={here} />
        ))}
        <Foot onHelp={onHelp} />
      </div>
      <div className="flex wide:hidden">
        {SECTIONS.filter(({ onPhone }) => onPhone).map((section) => (
          <PhoneLink key={section.id} section={section} here={here} />
        ))}
        <button
          type="button"
          aria-expanded={open}
          aria-controls={all}
          onClick={() => setOpenAt(open ? undefined : pathname)}
          onKeyDown={({ key }) => key === 'Escape' && setOpenAt(undefined)}
          className={phoneClass(false)}
        >
          <Menu size={18} strokeWidth={1.75} aria-hidden="true" />
          {text('shell.more')}
        </button>
      </div>
    </nav>
  )
}

/** The entries of one group below its heading. */
function Entries({ group, here }: { group: Section['group']; here: Section | undefined }) {
  const text = useText()
  const heading = useId()
  return (
    <div className="pt-2">
      {group !== 'home' && (
        <span id={heading} className="block px-2 py-1 text-label text-ink-2">
          {text(`shell.group.${group}`)}
        </span>
      )}
      <ul {...(group !== 'home' && { 'aria-labelledby': heading })} className="flex flex-col gap-0.5">
        {SECTIONS.filter((section) => section.group === group).map((section) => (
          <li key={section.id}>
            <SectionLink section={section} here={section === here} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function SectionLink({ section: { id, path }, here }: { section: Section; here: boolean }) {
  const text = useText()
  const Icon = ICONS[id]
  const settled = useSettled()
  return (
    <Link
      href={path}
      prefetch={settled}
      aria-current={here ? 'page' : undefined}
      className={clsx(
        'flex h-7 shrink-0 items-center gap-2.5 rounded-control px-2 whitespace-nowrap hover:bg-sunken max-wide:h-10',
        here ? 'bg-sunken font-medium' : 'text-ink-2 hover:text-ink',
      )}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {text(`shell.section.${id}`)}
      <SectionBadge id={id} />
    </Link>
  )
}

const phoneClass = (here: boolean): string =>
  clsx(
    'flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-micro',
    here ? 'font-medium text-ink' : 'text-ink-2',
  )

/** An entry of the bar on narrow screens. */
function PhoneLink({ section, here }: { section: Section; here: Section | undefined }) {
  const text = useText()
  const Icon = ICONS[section.id]
  return (
    <Link
      href={section.path}
      aria-current={section === here ? 'page' : undefined}
      className={phoneClass(section === here)}
    >
      <span className="flex items-center">
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        <SectionBadge id={section.id} />
      </span>
      <span className="max-w-full truncate">{text(`shell.section.${section.id}`)}</span>
    </Link>
  )
}

function Foot({ onHelp }: { onHelp: () => void }) {
  const text = useText()
  return (
    <div className="mt-auto flex flex-col gap-1 pt-3">
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
  )
}

/** A hull on an even keel: a mast, the deck and the water line. */
function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="fill-ink">
      <path d="M7.25 0h1.5v6.5h5.75c0 3.6-2.9 6-6.5 6S1.5 10.1 1.5 6.5h5.75zM2.5 14h11v1.5h-11z" />
    </svg>
  )
}
