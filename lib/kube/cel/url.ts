/** URLs as request lines carry them: absolute, or a path from the root. */

export interface Url {
  text: string
  scheme: string
  /** With the port, when there is one. */
  host: string
  hostname: string
  port: string
  /** Still percent-encoded. */
  path: string
  query: Map<string, string[]>
}

const FORM = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/((?:[^/?#@]*@)?)([^/?#]*))?(\/[^?#]*)?(?:\?(.*))?$/

/** Reads an absolute URL or an absolute path; undefined for anything else. */
export function parseUrl(text: string): Url | undefined {
  const match = FORM.exec(text)
  if (!match || text === '' || /[\s\p{Cc}]/u.test(text)) return undefined
  const [, scheme = '', , host = '', path = '', query = ''] = match
  if (scheme === '' && path === '') return undefined
  const [, hostname = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host) ?? []
  if (host !== '' && hostname === '' && port === '') return undefined
  const bare = hostname.replaceAll(/[[\]]/g, '')
  return { text, scheme: scheme.toLowerCase(), host, hostname: bare, port, path, query: queryOf(query) }
}

function queryOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const part of text.split('&').filter((pair) => pair !== '')) {
    const [name = '', ...rest] = part.split('=').map(decoded)
    found.set(name, [...(found.get(name) ?? []), rest.join('=')])
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
