'use client'
import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

const VIEWS = ['matrix', 'table'] as const

/** Leads from the matrix of the workloads to their table and back, with the same filter. */
export function ViewSwitch() {
  const text = useText()
  const { get } = useUrlState()
  const shown = usePathname() === '/fleet' ? 'matrix' : 'table'
  const filter = { q: get('q'), state: get('state') }
  return (
    <nav aria-label={text('shell.view.label')} className="flex rounded-control border border-line-strong">
      {VIEWS.map((view) => (
        <Link
          key={view}
          href={view === 'matrix' ? href.fleet(filter) : href.workloads(filter)}
          aria-current={view === shown ? 'page' : undefined}
          className={clsx('flex h-6.5 items-center px-2.5', view === shown ? 'bg-sunken font-medium' : 'text-ink-2')}
        >
          {text(`shell.view.${view}`)}
        </Link>
      ))}
    </nav>
  )
}
