/** Which groups and regions are collapsed, as the address keeps it. */
import type { UrlChanges } from '../hooks/url-state'

interface FoldingOptions {
  get: (name: string) => string | undefined
  /** Whether what the address does not mention is collapsed. */
  isClosedByDefault: boolean
  /** The parameters that list collapsed groups, or open groups while the others are collapsed. */
  closedIn: string
  openIn: string
}

export interface Folding {
  closed: Pick<ReadonlySet<string>, 'has'>
  /** The change of the address that opens or collapses a name. */
  toggled: (name: string) => UrlChanges
}

/** Names with commas are escaped: commas divide the list. */
const escaped = (name: string): string => name.replaceAll('%', '%25').replaceAll(',', '%2C')

export function foldingOf({ get, isClosedByDefault, closedIn, openIn }: FoldingOptions): Folding {
  const parameter = isClosedByDefault ? openIn : closedIn
  const listed = new Set((get(parameter) ?? '').split(',').filter(Boolean))
  return {
    closed: { has: (name) => listed.has(escaped(name)) !== isClosedByDefault },
    toggled: (name) => {
      const next = new Set(listed)
      if (!next.delete(escaped(name))) next.add(escaped(name))
      return { [parameter]: [...next].join(',') }
    },
  }
}
