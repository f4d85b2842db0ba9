'use client'
import NextLink from 'next/link'
import type { ComponentProps, MouseEvent } from 'react'

interface LinkProps extends Omit<ComponentProps<typeof NextLink>, 'href'> {
  href: string
}

/**
 * Renders a link within the console. Prefetching is off by default, because a list has hundreds of links. A link to
 * another state of the current page changes only the URL, which also works while the server is unreachable.
 */
export function Link({ href, prefetch = false, onClick, ...props }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || !isSamePage(href)) return
    event.preventDefault()
    window.history.pushState(null, '', href)
  }
  return <NextLink href={href} prefetch={prefetch} onClick={follow} {...props} />
}

/** Clicks with a modifier open tabs and windows: the browser's business. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

const isSamePage = (href: string): boolean => new URL(href, window.location.href).pathname === window.location.pathname
