'use client'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { type Binding, type KeyPress, matchShortcut } from './shortcuts'
import { useKeyDown } from './use-key-down'

/** The second key of a sequence must come within this time. */
const SEQUENCE_MS = 1500
const STORAGE_KEY = 'evenkeel.shortcuts'

/** A command of the page: run by its key or from the command palette. */
export interface Bound extends Binding {
  /** Runs it; where it is refused, announces why instead. */
  run: () => void
  /** `place`: leads to a page. `console`: about the console itself. Default: an action of the open page. */
  kind?: 'place' | 'console' | undefined
  /** Why it cannot be done now. */
  refused?: string | undefined
}

interface Shortcuts {
  enabled: boolean
  setEnabled: (enabled: boolean) => void
  /** All bindings of this page, in the order of registration. */
  bindings: readonly Bound[]
  bind: (bound: readonly Bound[]) => () => void
}

const ShortcutsContext = createContext<Shortcuts | undefined>(undefined)

/** Listens for single keys, unless the reader switched them off. */
export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const [enabled, setEnabled] = useState(
    () => typeof localStorage === 'undefined' || localStorage.getItem(STORAGE_KEY) !== 'off',
  )
  const [bound, setBound] = useState<readonly Bound[]>([])
  useKeyListener(enabled, bound)
  const bind = useCallback((added: readonly Bound[]) => {
    setBound((before) => [...before, ...added])
    return () => setBound((before) => before.filter((each) => !added.includes(each)))
  }, [])
  const remember = useCallback((on: boolean) => {
    localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off')
    setEnabled(on)
  }, [])
  const value = useMemo(
    () => ({ enabled, setEnabled: remember, bindings: bound, bind }),
    [enabled, remember, bound, bind],
  )
  return <ShortcutsContext value={value}>{children}</ShortcutsContext>
}

function useKeyListener(enabled: boolean, bound: readonly Bound[]): void {
  const pending = useRef<{ key: string; at: number }>(undefined)
  useKeyDown((event) => {
    const first =
      pending.current !== undefined && event.timeStamp - pending.current.at < SEQUENCE_MS
        ? pending.current.key
        : undefined
    const match = matchShortcut(bound, pressOf(event), first)
    pending.current = match.pending === undefined ? undefined : { key: match.pending, at: event.timeStamp }
    // The page that was opened last wins over the shell.
    const hit = bound.findLast((each) => match.keys !== undefined && each.keys === match.keys)
    if (hit === undefined) return
    event.preventDefault()
    hit.run()
  }, enabled)
}

function pressOf(event: KeyboardEvent): KeyPress {
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const typing =
    target !== undefined && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  const modal = document.querySelector('[role="dialog"], [role="menu"]') !== null
  const { key, ctrlKey, metaKey, altKey } = event
  return { key, ctrlKey, metaKey, altKey, typing, modal }
}

/** The shortcuts of the page. */
export function useShortcuts(): Shortcuts {
  const shortcuts = useContext(ShortcutsContext)
  if (shortcuts === undefined) throw new Error('useShortcuts needs a ShortcutsProvider above it')
  return shortcuts
}

interface Command extends Omit<Bound, 'refused'> {
  /** Whether the reader may do it. */
  right?: { allowed: boolean; reason?: string | undefined } | undefined
}

/** Offers a command while the component is on the page. `run` may change from render to render. */
export function useCommand({ keys, label, kind, right, run }: Command): void {
  const text = useText()
  const { bind } = useShortcuts()
  const announce = useAnnounce()
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  }, [run])
  const refused = right === undefined || right.allowed ? undefined : (right.reason ?? text('common.notPermitted'))
  useEffect(() => {
    const run = () => (refused === undefined ? latest.current() : announce(refused))
    return bind([{ keys, label, kind, refused, run }])
  }, [announce, bind, keys, kind, label, refused])
}

/** Binds a key while the component is on the page. `run` may change from render to render. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  useCommand({ keys, label, run })
}
