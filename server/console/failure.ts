/** The page for a rendering error. Next's own page needs scripts and styles that the policy does not allow. */
import type { IncomingMessage, ServerResponse } from 'node:http'

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
  Reflect.apply(end, response, [
    pageAbout(String(request.headers['x-request-id'] ?? ''), String(request.headers['x-nonce'] ?? '')),
  ])
}

/** Both were created or checked here and contain no HTML. */
function pageAbout(requestId: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not drawn · Evenkeel</title>
<style nonce="${nonce}">body { font: 14px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 32rem; padding: 0 1.5rem }</style>
<main>
<h1>This page could not be drawn</h1>
<p>The console’s server failed at it; nothing in the fleet is changed by that. Its log says why under the id <code>${requestId}</code>.</p>
<p><a href="">Try again</a> or <a href="/overview">go to Overview</a>.</p>
</main>
</html>
`
}
