'use client'
import { useCallback, useMemo } from 'react'
import { decodeSelection, encodeSelection } from './selection'
import { useUrlState } from './use-url-state'

const PARAMETER = 'sel'

/** Changes the ids that are selected at the moment of the call. */
export type SelectionUpdate = (change: (selected: ReadonlySet<string>) => Iterable<string>) => void

/**
 * The selected ids, kept in the address. An update starts from the address itself, not from the last render: two quick
 * presses of a key are two changes.
 */
export function useSelection(): [ReadonlySet<string>, SelectionUpdate] {
  const { get, tweak } = useUrlState()
  const value = get(PARAMETER)
  const selected = useMemo(() => new Set(decodeSelection(value, readStored)), [value])
  const update = useCallback<SelectionUpdate>(
    (change) => {
      const { value: encoded, stored } = encodeSelection([...change(currentSelection())])
      if (encoded !== undefined && stored !== undefined) sessionStorage.setItem(encoded, stored)
      tweak({ [PARAMETER]: encoded })
    },
    [tweak],
  )
  return [selected, update]
}

/** Returns the selection in the URL before the next render: a key pressed right after a selection must use it. */
export function currentSelection(): ReadonlySet<string> {
  const current = new URLSearchParams(window.location.search).get(PARAMETER) ?? undefined
  return new Set(decodeSelection(current, readStored))
}

function readStored(key: string): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(key)
}
