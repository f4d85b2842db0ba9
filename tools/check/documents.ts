/** Checks that documents name what exists: links, anchors, paths, commands, and a row for every folder of a map. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Outcome } from '@/server/cli/process'
import { type Commands, commandsOf, wrongCommands } from './document-commands'

/** Documents that map a folder, and the parts of it that need no row. */
const MAPS: readonly { document: string; folder: string; except?: readonly string[] }[] = [
  { document: 'docs/architecture.md', folder: 'server', except: ['testing'] },
  { document: 'server/bff/README.md', folder: 'server/bff', except: ['testing'] },
  { document: 'server/reconcilers/README.md', folder: 'server/reconcilers', except: ['testing'] },
  { document: 'tools/README.md', folder: 'tools' },
  { document: 'components/README.md', folder: 'components' },
]

const MAX_LINES = { root: 120, folder: 80 }

const LINK = /\]\(([^)\s]+)\)/g
/** Pictures that Markdown has no syntax for. */
const SOURCE = /\bsrc(?:set)?="([^"\s]+)"/g
/** A path from the root in backquotes. The end of a sentence and a line number do not belong to it. */
const ROOTED = /`((?:app|components|deploy|docs|e2e|lib|public|server|tools)\/[\w./()[\]*-]*)`/g
const SKIPPED = ['node_modules/**', '.*/**', 'dist/**']

/** Fails with a line for each finding. */
export function checkDocuments(root = '.', commands: Commands = commandsOf(root)): Outcome {
  const documents = globSync('**/*.md', { cwd: root, exclude: SKIPPED }).toSorted()
  const findings = [
    ...documents.flatMap((path) => findingsIn(root, path, commands)),
    ...MAPS.flatMap((map) => unmapped(root, map)),
  ]
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n'), note: `${documents.length} documents` }
}

function findingsIn(root: string, path: string, commands: Commands): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const prose = withoutBlocks(text)
  const links = [...matchesOf(prose, LINK), ...matchesOf(prose, SOURCE)].filter(
    (link) => !/^(https?:|mailto:)/.test(link),
  )
  const missing = [
    ...links.filter((link) => !leadsSomewhere(root, path, link)),
    ...matchesOf(prose, ROOTED).filter((name) => !exists(root, name)),
  ]
  return [
    ...missing.map((name) => `${path} names ${name}, which does not exist`),
    ...wrongCommands(text, commands).map((wrong) => `${path} has the command ${wrong}`),
    ...tooLong(path, text),
  ]
}

/** A link to a file, to a heading of a document, or both. */
function leadsSomewhere(root: string, from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : join(dirname(from), file)
  if (!existsSync(join(root, target))) return false
  return (
    anchor === undefined
    || !target.endsWith('.md')
    || anchorsOf(readFileSync(join(root, target), 'utf8')).includes(anchor)
  )
}

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (text: string): string[] =>
  matchesOf(withoutBlocks(text), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )

/** Modules are named with and without their extension, and with a star. */
function exists(root: string, name: string): boolean {
  if (name.includes('*')) return globSync(name, { cwd: root }).length > 0
  return ['', '.ts', '.tsx'].some((extension) => existsSync(join(root, `${name.replace(/\/$/, '')}${extension}`)))
}

function tooLong(path: string, text: string): string[] {
  if (basename(path) !== 'README.md') return []
  const most = path === 'README.md' ? MAX_LINES.root : MAX_LINES.folder
  const lines = text.split('\n').length - 1
  return lines > most ? [`${path} has ${lines} lines; move what goes beyond ${most} to docs/ or to a folder below`] : []
}

function unmapped(root: string, { document, folder, except = [] }: (typeof MAPS)[number]): string[] {
  if (!existsSync(join(root, document))) return []
  const text = readFileSync(join(root, document), 'utf8')
  const folders = readdirSync(join(root, folder)).filter((name) => statSync(join(root, folder, name)).isDirectory())
  return folders
    .filter(
      (name) =>
        !except.includes(name)
        && ![`\`${name}\``, `\`${name}/\``, `${folder}/${name}\``].some((way) => text.includes(way)),
    )
    .map((name) => `${document} has no row for ${folder}/${name}`)
}

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

/** Paths in blocks of commands and in drawings may be created later. */
const withoutBlocks = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '')
