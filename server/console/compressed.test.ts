import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compressedFirst } from './compressed'

const FILE = '/_next/static/chunks/a.js'

/** Serves a build of two files, one of them compressed; what is not compressed gives "page". */
async function start({ removed = false } = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'static-'))
  mkdirSync(join(folder, 'chunks'))
  writeFileSync(join(folder, 'chunks/a.js'), 'plain')
  writeFileSync(join(folder, 'chunks/a.js.br'), brotliCompressSync('compressed'))
  writeFileSync(join(folder, 'chunks/b.js'), 'plain')
  const handle = compressedFirst(folder, async (_, response) => void response.end('page'))
  if (removed) rmSync(join(folder, 'chunks'), { recursive: true })
  const server = createServer((question, response) => void handle(question, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Got {
  encoding: string | undefined
  length: string | undefined
  cache: string | undefined
  body: Buffer
}

/** Node's own client asks for the path as it is written and does not decode. */
function get(url: string, path: string, { encoding = 'gzip, br', method = 'GET' } = {}): Promise<Got> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers: { 'accept-encoding': encoding }, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          encoding: answer.headers['content-encoding'],
          length: answer.headers['content-length'],
          cache: answer.headers['cache-control'],
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('files of the build', () => {
  test('come compressed, to be kept for ever', async () => {
    const { encoding, cache, body } = await get(await start(), `${FILE}?dpl=1`)
    expect(brotliDecompressSync(body).toString()).toBe('compressed')
    expect([encoding, cache]).toEqual(['br', 'public, max-age=31536000, immutable'])
  })

  test('are there for the pages of a running server while the next version is built', async () => {
    const { body } = await get(await start({ removed: true }), FILE)
    expect(brotliDecompressSync(body).toString()).toBe('compressed')
  })

  test('are only described to HEAD', async () => {
    const { length, body } = await get(await start(), FILE, { method: 'HEAD' })
    expect([Number(length) > 0, body.length]).toEqual([true, 0])
  })

  test.each(['', 'gzip', 'br;q=0', 'gzip, br; q=0.0', 'brx', 'xbr'])(
    'are not compressed for a client that accepts %j',
    async (encoding) => {
      expect((await get(await start(), FILE, { encoding })).body.toString()).toBe('page')
    },
  )

  test.each(['br', 'br;q=0.1', 'gzip,BR', 'gzip, br;q=1.0, *;q=0'])('are for one that accepts %j', async (encoding) => {
    expect((await get(await start(), FILE, { encoding })).encoding).toBe('br')
  })

  test.each(['/_next/static/chunks/b.js', '/_next/static/chunks/a.js.br', '/_next/static/../static/chunks/a.js', '/x'])(
    'are left to Next where no compressed one has the name: %s',
    async (path) => {
      expect((await get(await start(), path)).body.toString()).toBe('page')
    },
  )
})
