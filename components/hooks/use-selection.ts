'use client'
import { useCallback, useMemo } from 'react'
import { decodeSelection, encodeSelection } from './selection'
import { useUrlState } from './use-url-state'

const PARAMETER = 'sel'

/** The selected ids, kept in the address. */
export function useSelection(): [ReadonlySet<string>, (next: Iterable<string>) => void] {
  const { get, tweak } = useUrlState()
  const value = get(PARAMETER)
  const selected = useMemo(() => new Set(decodeSelection(value, readStored)), [value])
  const select = useCallback(
    (next: Iterable<string>) => {
      const { value: encoded, stored } = encodeSelection([...next])
      if (encoded !== undefined && stored !== undefined) sessionStorage.setItem(encoded, stored)
      tweak({ [PARAMETER]: encoded })
    },
    [tweak],
  )
  return [selected, select]
}

function readStored(key: string): string | null {
  return typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(key)
}
