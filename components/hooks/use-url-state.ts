'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useMemo } from 'react'
import { type UrlChanges, withChanges } from './url-state'

interface UrlState {
  get: (name: string) => string | undefined
  /** A step that Back undoes: opening a drawer, choosing a list. */
  navigate: (changes: UrlChanges) => void
  /** A tweak of the same view: filter text, a tab, a checkbox. */
  tweak: (changes: UrlChanges) => void
  /** The address that `navigate` would go to, for links. */
  hrefWith: (changes: UrlChanges) => string
}

/**
 * The address of the page as its state. Changes go through the browser's history, not through the router: the page
 * stays the same, so nothing needs to be fetched.
 */
export function useUrlState(): UrlState {
  const parameters = useSearchParams()
  const pathname = usePathname()
  const search = parameters.toString()
  const get = useCallback((name: string) => new URLSearchParams(search).get(name) ?? undefined, [search])
  const hrefWith = useCallback((changes: UrlChanges) => withChanges(pathname, search, changes), [pathname, search])
  return useMemo(() => ({ get, navigate, tweak, hrefWith }), [get, hrefWith])
}

/** As `UrlState` has it, for parts that do not read the address: each row of a long list has a button that only changes it. */
export const navigate = (changes: UrlChanges): void => window.history.pushState(null, '', currentWith(changes))
const tweak = (changes: UrlChanges): void => window.history.replaceState(null, '', currentWith(changes))

/** Two changes in one tick must see each other, so both read the live address. */
function currentWith(changes: UrlChanges): string {
  return withChanges(window.location.pathname, window.location.search, changes)
}
