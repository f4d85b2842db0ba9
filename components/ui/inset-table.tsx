'use client'
import { clsx } from 'clsx'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { Table } from './table'

type InsetTableProps = ComponentProps<typeof Table> & { 'aria-label': string }

/**
 * Renders a table that scrolls horizontally in narrow spaces instead of squeezing its columns. It is focusable only
 * while it scrolls, because it may contain no focusable element.
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
