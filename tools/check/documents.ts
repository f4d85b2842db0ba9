/** Checks that documents name what is there: links, paths of the repository, and a row for every folder of a map. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Outcome } from '@/server/cli/process'

/** Documents that map a folder, and the parts of it that need no row. */
const MAPS: readonly { document: string; folder: string; except?: readonly string[] }[] = [
  { document: 'server/ARCHITECTURE.md', folder: 'server', except: ['testing'] },
  { document: 'server/bff/README.md', folder: 'server/bff', except: ['testing'] },
  { document: 'server/reconcilers/README.md', folder: 'server/reconcilers', except: ['testing'] },
  { document: 'tools/README.md', folder: 'tools' },
  { document: 'components/README.md', folder: 'components' },
]

const LINK = /\]\(([^)\s]+)\)/g
/** What stands in backquotes and begins like a path from the root; the end of a sentence or a line number is none of it. */
const ROOTED = /`((?:app|components|deploy|e2e|lib|public|server|tools)\/[\w./()[\]*-]*)`/g
const SKIPPED = ['node_modules/**', '.*/**', 'dist/**']

/** Fails with a line for each document that names what is not there, or leaves a folder out. */
export function checkDocuments(root = '.'): Outcome {
  const documents = globSync('**/*.md', { cwd: root, exclude: SKIPPED }).toSorted()
  const findings = [
    ...documents.flatMap((path) => missingIn(root, path)),
    ...MAPS.flatMap((map) => unmapped(root, map)),
  ]
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n'), note: `${documents.length} documents` }
}

function missingIn(root: string, path: string): string[] {
  const text = withoutBlocks(readFileSync(join(root, path), 'utf8'))
  const links = matchesOf(text, LINK).filter((link) => !/^(https?:|mailto:|#)/.test(link))
  const broken = links.filter((link) => !existsSync(join(root, dirname(path), link.replace(/#.*$/, ''))))
  const gone = matchesOf(text, ROOTED).filter((name) => !isThere(root, name))
  return [...broken, ...gone].map((name) => `${path} names ${name}, which is not there`)
}

/** Modules are named with and without their ending, and together with a star. */
function isThere(root: string, name: string): boolean {
  if (name.includes('*')) return globSync(name, { cwd: root }).length > 0
  return ['', '.ts', '.tsx'].some((ending) => existsSync(join(root, `${name.replace(/\/$/, '')}${ending}`)))
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

/** Commands and pictures in text speak of files that come to be. */
const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')
