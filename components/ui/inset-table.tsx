'use client'
import { clsx } from 'clsx'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { Table } from './table'

type InsetTableProps = ComponentProps<typeof Table> & { 'aria-label': string }

/**
 * A table among other things: where there is too little room it scrolls by itself, rather than squeeze its columns. Only
 * then it is a stop of the keyboard, for nothing in it may take the focus.
 */
export function InsetTable({ className, 'aria-label': label, ...props }: InsetTableProps) {
  const frame = useRef<HTMLElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section
      ref={frame}
      // A region with the name of its table, while it is something to go to.
      {...(scrolls && { tabIndex: 0, 'aria-label': `${label}, scrolls sideways` })}
      // Positioned, or words for screen readers, which are, would widen the page by what is scrolled out of sight.
      className="relative overflow-x-auto -outline-offset-2"
    >
      <Table aria-label={label} className={clsx('min-w-[44rem]', className)} {...props} />
    </section>
  )
}
