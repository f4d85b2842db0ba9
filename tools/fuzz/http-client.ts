/** Plain HTTP over persistent connections. Requests that no client library would send use `broken/raw-client`. */
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'

export interface HttpQuestion {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | undefined
}

export interface HttpAnswer {
  /** 0: no answer in time, or the connection was cut. */
  status: number
  headers: IncomingHttpHeaders
  /** Status line and headers, as text. */
  head: string
  body: string
}

export interface HttpClient {
  /** Never rejects. */
  send(question: HttpQuestion): Promise<HttpAnswer>
  close(): void
}

/** Maximum duration of any request. */
export const TIMEOUT_MS = 20_000
/** In the error of a timeout. */
export const TOO_LATE = 'no answer in time'
/** A watch never ends: its beginning is all that is read. */
const STREAM_MS = 200

/** A client of one server with headers that every request carries. */
export function createHttpClient(url: string, own: Readonly<Record<string, string>>): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    send: (question) =>
      new Promise((resolve) => {
        const failed = (body: string): void => resolve({ status: 0, headers: {}, head: '', body })
        const outgoing = httpRequest(
          url + encodedPath(question.path),
          { agent, method: question.method, headers: { ...own, ...question.headers }, timeout: TIMEOUT_MS },
          (incoming) => {
            let body = ''
            const finish = (): void =>
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                head: headOf(incoming.rawHeaders),
                body,
              })
            incoming
              .setEncoding('utf8')
              .on('data', (chunk: string) => {
                body += chunk
              })
              .once('end', finish)
            incoming.once('error', (error) => failed(error.message))
            if (!isStream(question.path)) return
            setTimeout(() => {
              finish()
              incoming.destroy()
            }, STREAM_MS)
          },
        )
        outgoing.once('timeout', () => outgoing.destroy(new Error(TOO_LATE)))
        outgoing.once('error', (error) => failed(error.message))
        outgoing.end(question.body)
      }),
    close: () => agent.destroy(),
  }
}

const isStream = (path: string): boolean => /[?&]watch=(?:1|true)/.test(path)

/** Signs that node:http refuses to send. */
function encodedPath(path: string): string {
  return path.toWellFormed().replaceAll(/[^\u0021-\u00ff]/g, (sign) => encodeURIComponent(sign))
}

function headOf(raw: readonly string[]): string {
  const lines = Array.from({ length: raw.length / 2 }, (_, index) => `${raw[index * 2]}: ${raw[index * 2 + 1]}`)
  return `HTTP/1.1 000 \r\n${lines.join('\r\n')}`
}
