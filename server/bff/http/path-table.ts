/** Maps paths to endpoints. */

interface Templated {
  method: string
  /** For example `/api/v1/queues/{namespace}/{name}`. */
  path: string
}

/** The result of a look-up: no endpoint, only other methods, or an endpoint with the parameters of the path. */
export type Found<T> =
  | { found: 'nothing' }
  | { found: 'methods'; path: string; allowed: readonly string[] }
  | { found: 'endpoint'; endpoint: T; params: Readonly<Record<string, string>> }

interface Compiled<T> {
  path: string
  parts: readonly string[]
  byMethod: Map<string, T>
}

/**
 * Finds endpoints by path. Literal parts take precedence over parameters: `/failovers/history` over `/failovers/{id}`.
 */
export class PathTable<T extends Templated> {
  readonly #byLength = new Map<number, Compiled<T>[]>()

  /** Throws when two endpoints have the same method and path. */
  constructor(endpoints: readonly T[]) {
    for (const endpoint of endpoints) this.#add(endpoint)
    for (const list of this.#byLength.values()) list.sort((a, b) => parameters(a.parts) - parameters(b.parts))
  }

  /** Finds the endpoint. `path` is the raw path without the query. HEAD is answered like GET. */
  find(method: string, path: string): Found<T> {
    const sent = path.split('/')
    for (const { path: template, parts, byMethod } of this.#byLength.get(sent.length) ?? []) {
      const params = match(parts, sent)
      if (!params) continue
      const endpoint = byMethod.get(method === 'HEAD' ? 'GET' : method)
      if (endpoint) return { found: 'endpoint', endpoint, params }
      return {
        found: 'methods',
        path: template,
        allowed: [...byMethod.keys()].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])),
      }
    }
    return { found: 'nothing' }
  }

  #add(endpoint: T): void {
    const parts = endpoint.path.split('/')
    const list = this.#byLength.get(parts.length) ?? []
    this.#byLength.set(parts.length, list)
    const known = list.find(({ path }) => path === endpoint.path)
    if (known?.byMethod.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is there twice`)
    if (known) known.byMethod.set(endpoint.method, endpoint)
    else list.push({ path: endpoint.path, parts, byMethod: new Map([[endpoint.method, endpoint]]) })
  }
}

const isParameter = (part: string): boolean => part.startsWith('{')
const parameters = (parts: readonly string[]): number => parts.filter(isParameter).length

function match(parts: readonly string[], sent: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (!isParameter(part)) {
      if (part !== sent[index]) return undefined
      continue
    }
    const value = decode(sent[index] ?? '')
    if (value === undefined || value === '') return undefined
    params[part.slice(1, -1)] = value
  }
  return params
}

/** Decodes percent escapes; undefined when the result is not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
