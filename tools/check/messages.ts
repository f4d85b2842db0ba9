/**
 * Checks that sentences are in the catalogue (lib/messages): none is a literal in a component, view or decision, and no
 * text of the catalogue is unused.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parseSync } from 'oxc-parser'
import type { Outcome } from '@/server/cli/process'

/** Folders that are searched for sentences. */
const SERVER = ['server/bff', 'server/cli', 'server/config', 'server/reconcilers']
const FOLDERS = ['app', 'components', 'lib/domain', 'lib/view', ...SERVER]
/** Folders that use codes. */
const USERS = ['app', 'components', 'lib', 'server', 'tools', 'e2e']

const OUTSIDE = /\.test\.tsx?$|-suite\.ts$|\/testing\/|\/bench\.ts$|^(?:lib|components)\/messages\//

/** Attributes that are visible or read by screen readers. */
const READ = /^(aria-label|aria-description|title|label|placeholder|alt|description|summary|heading|hint|caption)$/
/** At least two words, the first with a capital letter: a sentence or a heading, not a name, a class or a field. */
const SENTENCE = /^[A-Z][a-z'’]+,? (?:[a-z]|\$)/
/** Three or more plain words in a row. */
const PHRASE = /(?:^|\s)[a-z]{2,}(?: [a-z]{1,}){2,}[.:,;]?(?:\s|$)/
const LETTERS = /\p{L}{2}/u
/** Code samples, product names, and text that is the same in every language. */
const SAME_EVERYWHERE =
  /^[\s\d·→←↑↓…—–()/:%×+−.,|&;-]*$|^(?:Evenkeel|Kubernetes|Karmada|kubectl|YAML|JSON|CPU|API|GiB|UTC)$/

type Any = Node & Record<string, unknown>

/** Fails with a line for each literal sentence and each unused text. */
export function checkMessages(root = '.'): Outcome {
  const sources = filesIn(root, USERS)
  const findings = [...filesIn(root, FOLDERS).flatMap((path) => literalsIn(root, path)), ...unused(root, sources)]
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n'), note: `${codesOf(root).length} texts` }
}

const filesIn = (root: string, folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((path) => !OUTSIDE.test(path))
    .toSorted()

const codesOf = (root: string): string[] =>
  globSync('lib/messages/en/*.ts', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, code]) => code!),
  )

/** Texts whose code is not used; a composed code counts by its prefix: `queues.reason.${code}`. */
function unused(root: string, sources: readonly string[]): string[] {
  const text = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const whole = new Set([...text.matchAll(/['"`]([a-zA-Z]+(?:\.[\w-]+)+)['"`]/g)].map(([, code]) => code))
  const beginnings = [...text.matchAll(/`([a-zA-Z]+\.(?:[\w-]+\.)*[\w-]*)\$\{/g)].map(([, start]) => start!)
  return codesOf(root)
    .filter((code) => !whole.has(code) && !beginnings.some((start) => code.startsWith(start)))
    .map((code) => `${code} is used nowhere: remove its text`)
}

/** Literal sentences in a file. A line that names its upstream source is exempt, as is one marked `// log:`. */
export function literalsIn(root: string, path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8')
  const lines = source.split('\n')
  const findings: string[] = []
  const report = (node: Any, text: string): void => {
    const line = source.slice(0, node.start).split('\n').length
    if (lines.slice(Math.max(0, line - 3), line).some((near) => /upstream|\/\/ log:/i.test(near))) return
    findings.push(`${path}:${line} has a text that belongs into lib/messages: ${text.trim().slice(0, 60)}`)
  }
  visit(parseSync(path, source).program as unknown as Any, undefined, report)
  return findings
}

type Report = (node: Any, text: string) => void

function visit(node: Any, parent: Any | undefined, report: Report): void {
  if (isExempt(node, parent)) return
  if (node.type === 'JSXText') {
    const text = String(node.value)
    if (LETTERS.test(text) && !SAME_EVERYWHERE.test(text.trim())) report(node, text)
  } else if (node.type === 'JSXAttribute') {
    const name = String((node.name as Any).name)
    const value = node.value as Any | null
    if (name === 'className' || name === 'style') return
    if (READ.test(name) && value?.type === 'Literal' && isReadable(String(value.value)))
      report(node, String(value.value))
  } else if (node.type === 'Literal' && typeof node.value === 'string') {
    if (isSentence(node.value)) report(node, node.value)
  } else if (node.type === 'TemplateLiteral') {
    const text = (node.quasis as Any[]).map((quasi) => (quasi.value as { raw: string }).raw).join('$')
    if (isSentence(text)) report(node, text)
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Any).type === 'string')
        visit(child as Any, node, report)
    }
  }
}

const isReadable = (text: string): boolean => LETTERS.test(text) && !SAME_EVERYWHERE.test(text.trim())
/** Commands are the same in every language. */
const isSentence = (text: string): boolean => !text.startsWith('kubectl ') && (SENTENCE.test(text) || PHRASE.test(text))

const nameOf = ({ name, property }: Any): string => String(name ?? (property as Any | undefined)?.name ?? '')

/** Logs are English: `log.warn('…')`. */
const isLog = ({ type, property }: Any): boolean =>
  type === 'MemberExpression' && /^(debug|info|warn|error)$/.test(String((property as Any).name))

/** Classes of styles, types, imports, and errors that mean a mistake of the program rather than of its user. */
function isExempt(node: Any, parent: Any | undefined): boolean {
  if (node.type === 'ImportDeclaration' || String(node.type).startsWith('TS')) return true
  if (node.type === 'NewExpression') return /(?:Error|Missed|Unavailable)$/.test(nameOf(node.callee as Any))
  if (node.type === 'CallExpression' && ((node.callee as Any).type === 'Super' || isLog(node.callee as Any)))
    return true
  if (node.type === 'CallExpression' && ['clsx', 'describe', 'test', 'cva'].includes(String((node.callee as Any).name)))
    return true
  return (
    parent?.type === 'VariableDeclarator'
    && /^[A-Z_]*(CLASS|STYLE|EDGE|CELL|SHAPE|FOCUS|LOOK)[A-Z_]*$/.test(String((parent.id as Any).name ?? ''))
  )
}
