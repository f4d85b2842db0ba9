/** JavaScript that a browser loads before a page of the console can be used, compressed as it is sent. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface ClientManifest {
  entryJSFiles: Record<string, readonly string[]>
}

/** `npm run bench -- first-load [--page=/fleet]`: reads the output of the last build; build first. */
export async function benchFirstLoad(argv: string[]): Promise<object> {
  const page = argv.find((flag) => flag.startsWith('--page='))?.slice('--page='.length) ?? '/fleet'
  const build = join(process.cwd(), '.next')
  const { rootMainFiles } = JSON.parse(readFileSync(join(build, 'build-manifest.json'), 'utf8')) as {
    rootMainFiles: string[]
  }
  const { entryJSFiles } = manifestOf(join(build, 'server/app/(console)', page, 'page_client-reference-manifest.js'))
  const entries = Object.entries(entryJSFiles).filter(([entry]) => /\/(?:layout|page)$/.test(entry))
  const framework = new Set(rootMainFiles)
  const own = new Set(entries.flatMap(([, files]) => files).filter((file) => !framework.has(file)))
  const kilobytes = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(build, file))).length, 0) / 1000
  const [ofFramework, ofConsole] = [kilobytes(framework), kilobytes(own)]
  return {
    page,
    files: framework.size + own.size,
    frameworkKb: rounded(ofFramework),
    consoleKb: rounded(ofConsole),
    totalKb: rounded(ofFramework + ofConsole),
  }
}

/** The manifest is a script that assigns one object. */
function manifestOf(path: string): ClientManifest {
  const source = readFileSync(path, 'utf8')
  return JSON.parse(source.slice(source.indexOf('] = ') + 4).replace(/;?\s*$/, '')) as ClientManifest
}

const rounded = (value: number): number => Math.round(value * 10) / 10
