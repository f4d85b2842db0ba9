/** Checks the npm commands of documents: scripts, benches, suites and flags that they name must exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english } from '@/lib/messages/english'
import { usage } from '@/server/config/flags'

/** The scripts of package.json. For each, the first arguments that it takes, if these are fixed, and its flags. */
export type Commands = ReadonlyMap<string, { names?: ReadonlySet<string>; hasFlag: (flag: string) => boolean }>

/** Blocks of commands, and commands within a sentence. */
const BLOCK = /^ *```sh\n([\s\S]*?)^ *```/gm
const INLINE = /`(npm [^`]+)`/g
const COMMAND = /\bnpm (?:run (?:-s )?([\w:-]+)|(start|test))(?: -- ([^|#;&]*))?/g
const PLACEHOLDER = /^[A-Z]/

/** Reads the commands from package.json and from the sources in `tools` and `server/cli`. */
export function commandsOf(root: string): Commands {
  if (!existsSync(join(root, 'package.json'))) return new Map()
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const names: Record<string, Set<string>> = {
    bench: namesIn(join(root, 'tools/bench/index.ts'), /^ {2}'?([\w-]+)'?: async/gm),
    conformance: new Set([
      ...globSync('tools/conformance/suites/*.ts', { cwd: root }).map((path) => path.replace(/^.*\/|\.ts$/g, '')),
      ...namesIn(join(root, 'tools/conformance/sessions/index.ts'), /^ {2}(\w+): \(file, target\)/gm),
    ]),
  }
  return new Map(
    Object.keys(scripts).map((script) => {
      const sources = script === 'start' ? `${usage(english)} --help` : sourcesOf(root, script)
      return [script, { ...(names[script] && { names: names[script] }), hasFlag: (flag) => sources.includes(flag) }]
    }),
  )
}

const sourcesOf = (root: string, script: string): string =>
  globSync([`tools/${script.replace(/:.*/, '')}/**/*.ts`, `server/cli/${script}.ts`], { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')

const namesIn = (path: string, pattern: RegExp): Set<string> =>
  new Set([...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name = '']) => name))

/** Returns problems of the commands of a document. */
export function wrongCommands(document: string, commands: Commands): string[] {
  if (commands.size === 0) return []
  const blocks = [...document.matchAll(BLOCK)].map(([, block = '']) => block.replaceAll('\\\n', ' '))
  const inline = [...document.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(INLINE)].map(([, command = '']) => command)
  return [...blocks, ...inline].flatMap((text) =>
    [...text.matchAll(COMMAND)].flatMap(([, run, lifecycle, rest = '']) =>
      wrongIn(run ?? lifecycle ?? '', rest.split('\n')[0] ?? '', commands),
    ),
  )
}

function wrongIn(script: string, rest: string, commands: Commands): string[] {
  const command = commands.get(script)
  if (!command) return [`npm run ${script}, which package.json does not have`]
  const words = rest.split(/\s+/).filter(Boolean)
  const [first = ''] = words
  const flags = words.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? [])
  const wrong = flags
    .filter((flag) => !command.hasFlag(flag))
    .map((flag) => `${script} with the unknown flag --${flag}`)
  const isUnknown =
    command.names && first !== '' && !first.startsWith('-') && !PLACEHOLDER.test(first) && !command.names.has(first)
  return isUnknown ? [`${script} ${first}, which does not exist`, ...wrong] : wrong
}
