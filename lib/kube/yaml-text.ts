/**
 * Reads YAML from requests. The library behind it compares each key of a map with each other and looks through the whole
 * document for each alias, so that both are done or bounded here; and it reads far slower than JSON is read, so that a
 * document may not be as long as a body.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { sizeWithin } from '@/lib/std/json-bounds'
import { kubeError } from './errors'

/** Longer documents are refused with 413. Clients that send more send JSON, as kubectl does. */
const LONGEST = 512 * 1024
/** The most that a document with aliases may become, in characters of JSON. */
const MOST_EXPANDED = 3 * 1024 * 1024
const EXCESSIVE = 'document contains excessive aliasing'
/** How often a document may repeat a part of itself. */
const MOST_ALIASES = 1000

export interface YamlText {
  value: unknown
  /** The lines, from 1, with keys that their map has already. */
  repeatedLines: number[]
}

/** Throws what `refuse` makes of the reason for text that is no YAML or repeats itself, and 413 for a long one. */
export function readYaml(text: string, refuse: (detail: string) => unknown, version: '1.1' | '1.2' = '1.1'): YamlText {
  if (text.length > LONGEST) {
    const why = `Request entity too large: limit of YAML is ${LONGEST}, send JSON instead`
    throw kubeError(413, 'RequestEntityTooLarge', why)
  }
  const lines = new LineCounter()
  const document = parsed(text, { version, lineCounter: lines }, refuse)
  const [broken] = document.errors
  if (broken) throw refuse(broken.message)
  const { aliases, repeatedLines } = looked(document, lines)
  if (aliases > MOST_ALIASES) throw refuse(EXCESSIVE)
  const value = valueOf(document, refuse)
  if (aliases > 0 && sizeWithin(value, MOST_EXPANDED) === undefined) throw refuse(EXCESSIVE)
  return { value, repeatedLines }
}

/** Times stay texts, and so do numbers with colons: neither is a type of its own in JSON. */
const isUnusual = (type: { tag: string; format?: string }): boolean => (
  type.tag.endsWith(':timestamp') || type.format === 'TIME'
)

function parsed(
  text: string, options: { version: '1.1' | '1.2'; lineCounter: LineCounter }, refuse: (detail: string) => unknown,
): Document.Parsed {
  try {
    return parseDocument(text, {
      ...options, logLevel: 'error', uniqueKeys: false,
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !isUnusual(tag)),
    })
  } catch (error) {
    throw refuse(error instanceof RangeError ? 'exceeded max depth' : (error as Error).message)
  }
}

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

function valueOf(document: Document.Parsed, refuse: (detail: string) => unknown): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw refuse(error instanceof RangeError ? 'exceeded max depth' : (error as Error).message)
  }
}
