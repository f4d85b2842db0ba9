/** JavaScript that a browser loads before a page of the console can be used, compressed as it is sent. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { browserCatalogue } from '@/lib/messages/en/browser'

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
    [...files].reduce((sum, file) => sum + statSync(join(build, `${file}.br`)).size, 0) / 1000
  const [ofFramework, ofConsole, ofTexts] = [kilobytes(framework), kilobytes(own), kilobytes(catalogueFiles(build))]
  return {
    page,
    files: framework.size + own.size,
    frameworkKb: rounded(ofFramework),
    consoleKb: rounded(ofConsole),
    catalogueKb: rounded(ofTexts),
    totalKb: rounded(ofFramework + ofConsole + ofTexts),
    limitedBy: 'React and Next.js are the share that the console cannot change',
  }
}

/** The chunk with the English texts: a page waits for the catalogue of its locale, which no manifest lists. */
function catalogueFiles(build: string): string[] {
  const text = JSON.stringify(browserCatalogue['shell.description'])
  const chunks = readdirSync(join(build, 'static/chunks')).filter((name) => name.endsWith('.js'))
  const found = chunks.filter((name) => readFileSync(join(build, 'static/chunks', name), 'utf8').includes(text))
  if (found.length !== 1) throw new Error(`the catalogue is in ${found.length} chunks`)
  return found.map((name) => `static/chunks/${name}`)
}

/** The manifest is a script that assigns one object. */
function manifestOf(path: string): ClientManifest {
  const source = readFileSync(path, 'utf8')
  return JSON.parse(source.slice(source.indexOf('] = ') + 4).replace(/;?\s*$/, '')) as ClientManifest
}

const rounded = (value: number): number => Math.round(value * 10) / 10
