'use client'
import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

const VIEWS = ['heat', 'matrix', 'table'] as const
type View = (typeof VIEWS)[number]

/** Leads from one view of the workloads to the others, with the same filter. */
export function ViewSwitch({ shown = 'table' }: { shown?: View }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const isFleet = usePathname() === '/fleet'
  const filter = { q: get('q'), state: get('state') }
  const hrefOf = (view: View): string => {
    if (view === 'table') return href.workloads(filter)
    const chosen = { view: view === 'heat' ? 'heat' : 'table' }
    return isFleet ? hrefWith(chosen) : href.fleet({ ...filter, ...chosen })
  }
  return (
    <nav aria-label={text('shell.view.label')} className="flex rounded-control border border-line-strong">
      {VIEWS.map((view) => (
        <Link
          key={view}
          href={hrefOf(view)}
          aria-current={view === shown ? 'page' : undefined}
          className={clsx('flex h-6.5 items-center px-2.5', view === shown ? 'bg-sunken font-medium' : 'text-ink-2')}
        >
          {text(`shell.view.${view}`)}
        </Link>
      ))}
    </nav>
  )
}
