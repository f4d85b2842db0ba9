/** Sends one HTTP request to a BFF, as a browser would unless the test says otherwise. */
import { request } from 'node:http'

export interface Called {
  status: number
  json: unknown
  text: string
  headers: Record<string, string | string[] | undefined>
}

export interface CallOptions {
  method?: string
  /** Sent as JSON; a text is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
}

/** `fetch` does not let a test choose the Host, so this uses `node:http`. */
export function call(url: string, { method, body, headers = {} }: CallOptions = {}): Promise<Called> {
  const verb = method ?? (body === undefined ? 'GET' : 'POST')
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const type = text === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { method: verb, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve(toCalled(response.statusCode ?? 0, Buffer.concat(chunks).toString(), response.headers))
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

function toCalled(status: number, text: string, headers: Called['headers']): Called {
  const isJson = /^application\/(problem\+)?json/.test(String(headers['content-type']))
  return { status, text, headers, json: isJson && text !== '' ? JSON.parse(text) : undefined }
}
