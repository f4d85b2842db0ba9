'use client'
import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { useSession } from '../login/use-session'
import { useText } from '../messages/use-text'

/**
 * The operator's control planes: this one, and the same page in the consoles of the others. Each has its own login and
 * rights; nothing of one is read through another.
 */
export function ControlPlaneSwitch() {
  const text = useText()
  const pathname = usePathname()
  const heading = useId()
  const planes = useSession().data?.controlPlanes
  if (planes === undefined) return null
  return (
    <div className="px-2 pb-1">
      <span id={heading} className="block py-1 text-label text-ink-2">
        {text('shell.controlPlanes')}
      </span>
      <ul aria-labelledby={heading} data-testid="control-planes" className="flex flex-col">
        {planes.map(({ name, url }) => (
          <li key={name} className="truncate">
            {url === undefined ? (
              <span aria-current="true" className="font-medium">
                {name}
              </span>
            ) : (
              <a href={new URL(pathname, url).href} className="link flex min-h-6 items-center text-ink-2">
                {name}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
