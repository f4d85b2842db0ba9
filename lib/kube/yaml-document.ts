/**
 * One YAML document to a value and back. The library behind it compares each key of a map with each other and looks through
 * the whole document for each alias, so both are done or bounded here. Threads load this file as it is, so it imports
 * nothing that needs the paths or the missing file extensions of the rest.
 */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml'
import { isValueTooDeep, sizeWithin } from '../std/json-bounds.ts'

/** The most that a document with aliases may become, in characters of JSON. */
const MAX_EXPANDED = 3 * 1024 * 1024
const EXCESSIVE = 'document contains excessive aliasing'
/** What no YAML may contain, not even in quotes. */
const CONTROL = /(?![\t\n\r\u0085])\p{Cc}|[\ufffe\uffff]/u
const TOO_DEEP = 'exceeded max depth'
/** How often a document may repeat a part of itself. */
const MAX_ALIASES = 1000

export type YamlVersion = '1.1' | '1.2'

export interface YamlText {
  value: unknown
  /** The lines, from 1, with keys that their map has already. */
  repeatedLines: number[]
}

/** The parsed document, or the reason of a refusal. Never throws. */
export function readDocument(text: string, version: YamlVersion): YamlText | { refused: string } {
  if (CONTROL.test(text)) return { refused: 'control characters are not allowed' }
  try {
    const lines = new LineCounter()
    const document = parseDocument(text, {
      version,
      lineCounter: lines,
      logLevel: 'error',
      uniqueKeys: false,
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !isUnusual(tag)),
    })
    const [broken] = document.errors
    if (broken) return { refused: broken.message }
    const { aliases, repeatedLines } = looked(document, lines)
    if (aliases > MAX_ALIASES) return { refused: EXCESSIVE }
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (aliases > 0 && sizeWithin(value, MAX_EXPANDED) === undefined) return { refused: EXCESSIVE }
    if (isValueTooDeep(value)) return { refused: TOO_DEEP }
    return { value, repeatedLines }
  } catch (error) {
    return { refused: error instanceof RangeError ? TOO_DEEP : (error as Error).message }
  }
}

/** Fields from the outside in, positions of lists as numbers. */
export type YamlPath = readonly (string | number)[]

/** The lines, from 1, of fields of a text that `readDocument` reads; of a field that is not there, that of the next one around it. */
export function linesOfPaths(text: string, paths: readonly YamlPath[]): number[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error', uniqueKeys: false })
  return paths.map((path) => {
    let node: unknown = document.contents
    let start = 0
    for (const key of path) {
      const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined
      const next = isSeq(node) && typeof key === 'number' ? node.items[key] : pair?.value
      const at = rangeOf(pair?.key) ?? rangeOf(next)
      if (at === undefined) break
      start = at
      node = next
    }
    return lines.linePos(start).line
  })
}

const rangeOf = (node: unknown): number | undefined => (isNode(node) && node.range ? node.range[0] : undefined)

/** As kube-apiserver writes YAML. */
export function writeDocument(value: unknown): string {
  return stringify(value, {
    aliasDuplicateObjects: false,
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    version: '1.1',
  })
}

/** Times stay texts, and so do numbers with colons: neither is a type of its own in JSON. */
const isUnusual = (type: { tag: string; format?: string }): boolean =>
  type.tag.endsWith(':timestamp') || type.format === 'TIME'

/** Each map's keys are looked at once, without recursion. */
function looked(document: Document.Parsed, lines: LineCounter): { aliases: number; repeatedLines: number[] } {
  const open: unknown[] = [document.contents]
  const repeatedLines: number[] = []
  let aliases = 0
  while (open.length > 0) {
    const node = open.pop()
    if (isAlias(node)) aliases += 1
    else if (isSeq(node)) for (const item of node.items) open.push(item)
    else if (isMap(node)) {
      const seen = new Set<unknown>()
      for (const { key, value } of node.items) {
        open.push(value)
        if (!isScalar(key)) open.push(key)
        else if (seen.size === seen.add(key.value).size) repeatedLines.push(lines.linePos(key.range?.[0] ?? 0).line)
      }
    }
  }
  return { aliases, repeatedLines: repeatedLines.sort((a, b) => a - b) }
}
