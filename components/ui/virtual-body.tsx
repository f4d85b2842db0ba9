'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactElement,
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { rowsInView } from './rows-in-view'

/** Of a row of one line. */
const ROW_HEIGHT = 29
/** Lists up to this length are drawn whole: find-in-page works, rows may have any height, and nothing is gained by less. */
export const DRAWN_WHOLE = 200
/** Rows above and below those on screen, so that scrolling finds them drawn. */
const OVERSCAN = 20
/** As many of them are drawn at a time, and kept as current as the rows on screen. */
const OVERSCAN_STEP = 4

interface VirtualBodyProps<T> {
  items: readonly T[]
  columns: number
  /** Of most rows, where it is known: a height that is too low has rows drawn that have no place on the screen. */
  rowHeight?: number
  /** An element with a key. */
  render: (item: T, index: number) => ReactElement
}

/**
 * The body of a table of which only the rows on screen exist, once it is long. It stays so when rows are
 * removed: drawing two hundred at once would block the page for half a second, just when an outage ends.
 */
export function VirtualBody<T>(props: VirtualBodyProps<T>) {
  const [wasLong, setLong] = useState(false)
  const isLong = wasLong || props.items.length > DRAWN_WHOLE
  if (isLong && !wasLong) setLong(true)
  return isLong ? <LongBody {...props} /> : <tbody>{props.items.map(props.render)}</tbody>
}

function LongBody<T>({ rowHeight = ROW_HEIGHT, ...props }: VirtualBodyProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => setScroller(body.current?.closest('main') ?? null), [])
  return (
    <tbody ref={body}>
      {scroller === null ? (
        <Gap height={props.items.length * rowHeight} columns={props.columns} />
      ) : (
        <RowsOnScreen {...props} rowHeight={rowHeight} body={body} scroller={scroller} />
      )}
    </tbody>
  )
}

interface OnScreenProps<T> extends VirtualBodyProps<T> {
  rowHeight: number
  body: RefObject<HTMLTableSectionElement | null>
  scroller: HTMLElement
}

/** It begins where the page was scrolled to before there were rows: it would scroll it back otherwise. */
function RowsOnScreen<T>({ items, columns, rowHeight, render, body, scroller }: OnScreenProps<T>) {
  const [margin, setMargin] = useState(0)
  const overscan = useGrowingOverscan()
  const settled = useDeferredValue(items)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what stands above may change with any drawing; the same offset ends it
  useEffect(() => setMargin(offsetIn(scroller, body.current)))
  // oxlint-disable-next-line react/incompatible-library -- it draws when it scrolls; nothing of it is memoized here
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    initialOffset: () => scroller.scrollTop,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: margin,
  })
  const shown = virtual.getVirtualItems()
  // Rows of several lines: the rows below must know.
  useLayoutEffect(() => {
    for (const [at, { index }] of shown.entries()) {
      const row = body.current?.rows[at + 1]
      if (row) virtual.resizeItem(index, row.offsetHeight)
    }
  })
  const before = (shown[0]?.start ?? margin) - margin
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin)
  return (
    <>
      <Gap height={before} columns={columns} />
      {rowsInView({ items, settled, render }, shown, near(virtual.range))}
      <Gap height={after} columns={columns} />
    </>
  )
}

/** Rows that one notch of the wheel may bring into view are as current as those in view. */
const near = (onScreen: { startIndex: number; endIndex: number } | null) => ({
  from: (onScreen?.startIndex ?? 0) - OVERSCAN_STEP,
  to: (onScreen?.endIndex ?? Infinity) + OVERSCAN_STEP,
})

/** The rows on screen come first, then a few at a time around them: drawing all at once would block the page for longer. */
function useGrowingOverscan(): number {
  const [overscan, setOverscan] = useState(OVERSCAN_STEP)
  useEffect(() => {
    if (overscan < OVERSCAN) startTransition(() => setOverscan(overscan + OVERSCAN_STEP))
  }, [overscan])
  return overscan
}

/** How far below the beginning of what scrolls an element stands, in pixels. */
function offsetIn(scroller: HTMLElement, element: HTMLElement | null): number {
  if (element === null) return 0
  return Math.round(element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop)
}

/** Stands for the rows that do not exist. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty on purpose */}
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}
