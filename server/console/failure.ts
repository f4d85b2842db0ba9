/** The page for a rendering error. Next's own page needs scripts and styles that the policy does not allow. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { textOf } from '@/server/bff/http/language'
import { plainPage } from './plain-page'

/** Replaces every answer with a code of 500 or more by our page. */
export function replaceFailures(request: IncomingMessage, response: ServerResponse): void {
  const { writeHead, write, end } = response
  const instead = (): boolean => {
    if (response.statusCode < 500 || response.headersSent) return false
    response.write = () => true
    response.end = () => response
    response.writeHead = writeHead
    sendFailure(request, response, end)
    return true
  }
  // Only recorded: once it is written, the headers cannot be changed.
  response.writeHead = (code: number, ...args: unknown[]) => {
    response.statusCode = code
    return code >= 500 ? response : (Reflect.apply(writeHead, response, [code, ...args]) as ServerResponse)
  }
  response.write = (...args: unknown[]) => instead() || Boolean(Reflect.apply(write, response, args))
  response.end = (...args: unknown[]) => {
    if (!instead()) Reflect.apply(end, response, args)
    return response
  }
}

/** The text of the error page, with the ID for the log. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  end: ServerResponse['end'] = response.end,
): void {
  for (const name of ['content-length', 'content-encoding', 'etag', 'transfer-encoding']) response.removeHeader(name)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-store')
  response.statusCode = Math.max(500, response.statusCode)
  const text = textOf(request)
  const requestId = String(request.headers['x-request-id'] ?? '')
  const page = plainPage(request, {
    title: text('server.failure.title'),
    paragraphs: [text('server.failure.detail', { requestId })],
    links: [
      { href: '', label: text('server.failure.retry') },
      { href: '/overview', label: text('server.failure.overview') },
    ],
  })
  Reflect.apply(end, response, [page])
}
