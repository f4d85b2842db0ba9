'use client'
import { useTheme } from 'next-themes'
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState } from 'react'
import { formatCount } from '@/lib/format'
import { type Bound, useShortcuts } from '../hooks/use-shortcuts'
import { CommandDialog, CommandGroup, CommandOption } from '../ui/command'
import { find } from './find'
import { FURTHER_PLACES } from './places'
import { type NamedGroup, useNames } from './use-names'

/** So many things of one kind are listed; typing on narrows them, and a list has them all. */
const MOST_NAMES = 7
const MOST_COMMANDS = 50

/** `acts`: only what can be done on this page. */
export type PaletteScope = 'all' | 'acts'

interface PaletteProps {
  scope: PaletteScope
  open: boolean
  onClose: () => void
}

/** Every command of this page, every page, and everything that has a name, found by typing. */
export function CommandPalette({ scope, open, onClose }: PaletteProps) {
  const [query, setQuery] = useState('')
  const chosen = useRef<() => void>(undefined)
  // What opens a panel must find the focus where it was before, so it is done once this one is gone.
  const choose = (run: () => void) => {
    chosen.current = run
    onClose()
  }
  const closed = () => {
    setQuery('')
    chosen.current?.()
    chosen.current = undefined
  }
  return (
    <CommandDialog
      open={open}
      onClose={onClose}
      onClosed={closed}
      label={scope === 'acts' ? 'What can be done on this page' : 'Commands'}
      hint={scope === 'acts' ? 'What to do' : 'A command, a page, or a name'}
      query={query}
      onQuery={setQuery}
      empty={`No match for “${query.trim()}”. Try part of a name, or clear the field to see all commands.`}
      remarks={scope === 'all' && <Remarks query={query} />}
    >
      <Commands heading="On this page" kind={undefined} query={query} choose={choose} />
      {scope === 'all' && <Everywhere query={query} choose={choose} />}
    </CommandDialog>
  )
}

interface PartProps {
  query: string
  choose: (run: () => void) => void
}

function Everywhere({ query, choose }: PartProps) {
  const names = useNames()
  const typed = query.trim() !== ''
  return (
    <>
      {typed && names.map((group) => <Names key={group.heading} group={group} query={query} choose={choose} />)}
      <Commands heading="Pages" kind="place" query={query} choose={choose} more={useFurtherPlaces()} />
      <Commands heading="Console" kind="console" query={query} choose={choose} more={useThemes()} />
    </>
  )
}

interface CommandsProps extends PartProps {
  heading: string
  kind: Bound['kind']
  more?: readonly Bound[]
}

const NONE: readonly Bound[] = []

/** What is bound on this page, of one kind. */
function Commands({ heading, kind, query, choose, more = NONE }: CommandsProps) {
  const { bindings } = useShortcuts()
  const { shown } = find([...bindings.filter((each) => each.kind === kind), ...more], query, MOST_COMMANDS)
  if (shown.length === 0) return null
  return (
    <CommandGroup heading={heading}>
      {shown.map(({ label, keys, refused, run }) => (
        <CommandOption key={label} id={label} refused={refused} onChoose={() => refused === undefined && choose(run)}>
          <span className="grow">
            <span className={refused === undefined ? '' : 'text-ink-2'}>{label}</span>
            {refused !== undefined && <span className="block text-label font-normal text-ink-2">{refused}</span>}
          </span>
          {keys !== undefined && <kbd className="mono text-ink-2">{keys}</kbd>}
        </CommandOption>
      ))}
    </CommandGroup>
  )
}

function useFurtherPlaces(): Bound[] {
  const router = useRouter()
  return FURTHER_PLACES.map(({ label, href }) => ({ label, kind: 'place', run: () => router.push(href) }))
}

function useThemes(): Bound[] {
  const { setTheme } = useTheme()
  return (['light', 'dark', 'system'] as const).map((theme) => ({
    label: `Theme: ${theme === 'system' ? 'as the system' : theme}`, kind: 'console', run: () => setTheme(theme),
  }))
}

function Names({ group: { heading, items, listOf }, query, choose }: PartProps & { group: NamedGroup }) {
  const router = useRouter()
  const { shown, more } = find(items, query, MOST_NAMES)
  if (shown.length === 0) return null
  return (
    <CommandGroup heading={heading}>
      {shown.map(({ id, label, words, href }) => (
        <CommandOption key={id} id={id} onChoose={() => choose(() => router.push(href))}>
          <span className="min-w-0 grow truncate">{label}</span>
          {words && <span className="text-ink-2">{words}</span>}
        </CommandOption>
      ))}
      {more > 0 && listOf && (
        <CommandOption id={`${heading} more`} onChoose={() => choose(() => router.push(listOf(query.trim())))}>
          <span className="text-ink-2">{formatCount(more)} more: show them as a list</span>
        </CommandOption>
      )}
      {more > 0 && !listOf && <Remark>{formatCount(more)} more; type on to narrow them.</Remark>}
    </CommandGroup>
  )
}

/** What can be typed, or what could not be searched, so that nothing found is not taken for nothing there. */
function Remarks({ query }: { query: string }) {
  const names = useNames()
  if (query.trim() === '') {
    return <Remark>Type a name to find workloads, clusters, queues, plans, rebalancers and spreads.</Remark>
  }
  const listed = (groups: readonly NamedGroup[]) => groups.map(({ heading }) => heading.toLowerCase()).join(', ')
  const refused = names.filter((group) => group.refused)
  const loading = names.filter((group) => !group.loaded && !group.refused)
  return (
    <>
      {loading.length > 0 && <Remark>Still reading: {listed(loading)}.</Remark>}
      {refused.length > 0 && <Remark>Not searched, for you may not list them: {listed(refused)}.</Remark>}
    </>
  )
}

const Remark = ({ children }: { children: ReactNode }) => <p className="px-2 py-1 text-ink-2">{children}</p>
