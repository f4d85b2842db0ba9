import { clsx } from 'clsx'
import { Link } from './link'

interface NameLinkProps {
  href: string
  name: string
  /** False where the address opens a panel over the same list. */
  scroll?: boolean
}

/** The name that a row is about: cut where it would push the other columns away, and whole in its title. */
export function NameLink({ href, name, scroll = true }: NameLinkProps) {
  return (
    <Link
      href={href}
      scroll={scroll}
      title={titleOf(name)}
      className={clsx(CUT_NAME, 'font-medium -outline-offset-2 hover:underline')}
    >
      {name}
    </Link>
  )
}

/** Names of any length: Kubernetes allows 253 characters. */
export const CUT_NAME = 'inline-block max-w-[min(18rem,34vw)] min-w-0 truncate align-top'

/** A title for names that may be cut; for others it would only repeat them. */
export const titleOf = (name: string): string | undefined => (name.length > 30 ? name : undefined)
