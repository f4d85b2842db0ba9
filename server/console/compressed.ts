/**
 * Files of the build as the build compressed them: smaller than what could be done for each request, and at no cost. They
 * are kept in memory (about 1.5 MB), so that pages of a running server stay whole when the next version is built.
 */
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { pathOf } from './surface'

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface CompressedFile {
  content: Buffer
  type: string
}

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** Answers with the Brotli copy of a file where there is one and the client takes it, else as `page` does. */
export function compressedFirst(staticFolder: string, page: PageHandler): PageHandler {
  const files = compressedFilesOf(staticFolder)
  return async (request, response) => {
    const file = files.get(pathOf(request))
    if (file === undefined || !takesBrotli(request)) return page(request, response)
    response.writeHead(200, {
      'content-type': file.type,
      'content-encoding': 'br',
      'content-length': file.content.length,
      // The content is in the name.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    response.end(request.method === 'HEAD' ? undefined : file.content)
  }
}

/** Only names that were listed are answered, so no path of a request reaches the file system. */
function compressedFilesOf(folder: string): ReadonlyMap<string, CompressedFile> {
  const entries: Dirent[] = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : []
  return new Map(
    entries.flatMap((entry) => {
      const [, stem = '', ending = ''] = /^(.+\.(js|css))\.br$/.exec(entry.name) ?? []
      const type = TYPES[ending]
      if (type === undefined) return []
      const url = ['/_next/static', ...relative(folder, join(entry.parentPath, stem)).split(sep)].join('/')
      return [[url, { content: readFileSync(join(entry.parentPath, entry.name)), type }] as const]
    }),
  )
}

/** RFC 9110: a coding that is not named, or has the weight 0, is not acceptable. */
function takesBrotli({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(
    String(headers['accept-encoding'] ?? ''),
  )
}
