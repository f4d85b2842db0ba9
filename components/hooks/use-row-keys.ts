'use client'
import type { RefObject } from 'react'
import { useText } from '../messages/use-text'
import { useShortcut } from './use-shortcuts'

const REACHABLE = 'a[href], button:not(:disabled)'

/** `j` and `k` move the focus from row to row, from the moment in which the page is open. Grids move in themselves. */
export function useRowKeys(content: RefObject<HTMLElement | null>): void {
  const text = useText()
  useShortcut('j', text('shell.nextRow'), () => step(content.current, 1))
  useShortcut('k', text('shell.previousRow'), () => step(content.current, -1))
}

function step(content: HTMLElement | null, by: 1 | -1): void {
  const grid = content?.querySelector<HTMLElement>('[role="grid"]')
  if (grid) return enterGrid(grid, by)
  const rows = [...(content?.querySelectorAll<HTMLElement>('tbody tr') ?? [])].flatMap((row) => {
    const stop = row.querySelector<HTMLElement>(REACHABLE)
    return stop ? [{ row, stop }] : []
  })
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement))
  const next = at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))
  rows[next]?.stop.focus()
}

/** A grid that has the focus got the key itself. */
function enterGrid(grid: HTMLElement, by: 1 | -1): void {
  if (grid.contains(document.activeElement)) return
  const stop = grid.querySelector<HTMLElement>('[role="row"] > [tabindex="0"]')
  stop?.focus()
  stop?.dispatchEvent(new KeyboardEvent('keydown', { key: by > 0 ? 'ArrowDown' : 'ArrowUp', bubbles: true }))
}
