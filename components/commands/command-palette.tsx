'use client'
import { useTheme } from 'next-themes'
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState } from 'react'
import { LOCALE_NAMES, LOCALES } from '@/lib/messages'
import { type Bound, useShortcuts } from '../hooks/use-shortcuts'
import { useLocaleChoice } from '../messages/use-locale-choice'
import { useText } from '../messages/use-text'
import { nounOf } from '../shell/nouns'
import { THEMES } from '../shell/theme-switch'
import { CommandDialog, CommandGroup, CommandOption } from '../ui/command'
import { find } from './find'
import { FURTHER_PLACES } from './places'
import { type NamedGroup, useNames } from './use-names'

/** So many things of one kind are listed; typing on narrows them, and a list has them all. */
const MAX_NAMES = 7
const MAX_COMMANDS = 50

/** `page`: only the actions of this page. */
export type PaletteScope = 'all' | 'page'

interface PaletteProps {
  scope: PaletteScope
  open: boolean
  onClose: () => void
}

/** Every command of this page, every page, and everything that has a name, found by typing. */
export function CommandPalette({ scope, open, onClose }: PaletteProps) {
  const text = useText()
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
      label={text(scope === 'page' ? 'shell.commands.page' : 'shell.commands.name')}
      hint={text(scope === 'page' ? 'shell.commands.pageHint' : 'shell.commands.hint')}
      query={query}
      onQuery={setQuery}
      empty={text('shell.commands.noMatch', { query: query.trim() })}
      remarks={scope === 'all' && <Remarks query={query} />}
    >
      <Commands heading={text('shell.commands.onThisPage')} kind={undefined} query={query} choose={choose} />
      {scope === 'all' && <Everywhere query={query} choose={choose} />}
    </CommandDialog>
  )
}

interface PartProps {
  query: string
  choose: (run: () => void) => void
}

function Everywhere({ query, choose }: PartProps) {
  const text = useText()
  const names = useNames()
  const typed = query.trim() !== ''
  return (
    <>
      {typed && names.map((group) => <Names key={group.topic} group={group} query={query} choose={choose} />)}
      <Commands
        heading={text('shell.commands.pages')}
        kind="place"
        query={query}
        choose={choose}
        more={useFurtherPlaces()}
      />
      <Commands
        heading={text('shell.commands.console')}
        kind="console"
        query={query}
        choose={choose}
        more={useSettings()}
      />
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
  const { shown } = find([...bindings.filter((each) => each.kind === kind), ...more], query, MAX_COMMANDS)
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
  const text = useText()
  const router = useRouter()
  return FURTHER_PLACES.map(({ title, href }) => ({
    label: text('shell.goTo', { page: text(title) }),
    kind: 'place',
    run: () => router.push(href),
  }))
}

function useSettings(): Bound[] {
  const text = useText()
  const { setTheme } = useTheme()
  const chooseLocale = useLocaleChoice()
  return [
    ...THEMES.map((theme): Bound => ({
      label: text('shell.commands.theme', { theme: text(`shell.themes.${theme}`) }),
      kind: 'console',
      run: () => setTheme(theme),
    })),
    ...LOCALES.map((locale): Bound => ({
      label: text('shell.commands.language', { language: LOCALE_NAMES[locale] }),
      kind: 'console',
      run: () => chooseLocale(locale),
    })),
  ]
}

function Names({ group: { topic, items, listOf }, query, choose }: PartProps & { group: NamedGroup }) {
  const text = useText()
  const router = useRouter()
  const { shown, more } = find(items, query, MAX_NAMES)
  if (shown.length === 0) return null
  return (
    <CommandGroup heading={text(`shell.commands.group.${topic}`)}>
      {shown.map(({ id, label, words, href }) => (
        <CommandOption key={id} id={id} onChoose={() => choose(() => router.push(href))}>
          <span className="min-w-0 grow truncate">{label}</span>
          {words && <span className="text-ink-2">{words}</span>}
        </CommandOption>
      ))}
      {more > 0 && listOf && (
        <CommandOption id={`${topic} more`} onChoose={() => choose(() => router.push(listOf(query.trim())))}>
          <span className="text-ink-2">{text('shell.commands.moreAsList', { n: more })}</span>
        </CommandOption>
      )}
      {more > 0 && !listOf && <Remark>{text('shell.commands.more', { n: more })}</Remark>}
    </CommandGroup>
  )
}

/** What to type, and which kinds were not searched: without that, no match would read as no such object. */
function Remarks({ query }: { query: string }) {
  const text = useText()
  const names = useNames()
  if (query.trim() === '') {
    return <Remark>{text('shell.commands.names')}</Remark>
  }
  const listed = (groups: readonly NamedGroup[]) => groups.map(({ topic }) => nounOf(topic))
  const refused = names.filter((group) => group.refused)
  const loading = names.filter((group) => !group.loaded && !group.refused)
  return (
    <>
      {loading.length > 0 && <Remark>{text('shell.commands.loading', { what: listed(loading) })}</Remark>}
      {refused.length > 0 && <Remark>{text('shell.commands.notSearched', { what: listed(refused) })}</Remark>}
    </>
  )
}

const Remark = ({ children }: { children: ReactNode }) => <p className="px-2 py-1 text-ink-2">{children}</p>
