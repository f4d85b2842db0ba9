/** Blocks of the product's event loop, from its log. */

/** What the product said about delays: a line of its log for at most one a second. */
export function delaysIn(log: string): object[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('event loop was blocked'))
    .map((line) => {
      const { ms, cpuMs, by, ...work } = JSON.parse(line) as Record<string, unknown>
      return { ms, cpuMs, by, path: work['path'], method: work['method'] }
    })
}
