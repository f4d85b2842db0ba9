/**
 * A client of the live protocol that counts what it receives and reads nothing else. Thousands of socket.io clients in
 * one process would need more processor time than the server that they measure; this one speaks the same protocol
 * (engine.io 4 and socket.io 5 over one WebSocket) on the connection itself.
 */
import { connect, type Socket } from 'node:net'
import { LIVE_PATH } from '@/lib/view/live'

export interface CountingOptions {
  url: string
  topic: string
  /** Called for each `frames` message with the sizes of its frames together. */
  onFrames: (bytes: number) => void
}

/** As socket.io's client waits before it connects again, and for a connection. */
const RETRY_MS = { first: 1_000, most: 5_000, jitter: 0.5 }
const CONNECT_WITHIN_MS = 20_000
const END_OF_HEAD = '\r\n\r\n'
const BINARY = 2

export class CountingClient {
  readonly #options: CountingOptions
  readonly #url: URL
  #socket: Socket | undefined
  #isUpgraded = false
  /** The beginning of a message, or of the answer to the upgrade. */
  #pending: Buffer | undefined
  /** Bytes of a binary message that are still to come. */
  #skip = 0
  /** Binary parts of the current message that are still to come, and its size so far. */
  #parts = 0
  #bytes = 0
  #attempts = 0

  constructor(options: CountingOptions) {
    this.#options = options
    this.#url = new URL(options.url)
    this.#connect()
  }

  /** Ends the connection; the client connects again as after any other loss. */
  break(): void {
    this.#socket?.destroy()
  }

  #connect(): void {
    const { hostname, port, host, origin } = this.#url
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket = socket
    this.#isUpgraded = false
    this.#pending = undefined
    this.#skip = this.#parts = 0
    socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => this.#retry())
    socket.on('data', (chunk) => this.#onData(chunk))
    socket.write(
      [
        `GET ${LIVE_PATH}/?EIO=4&transport=websocket HTTP/1.1`,
        `Host: ${host}`,
        `Origin: ${origin}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}${END_OF_HEAD}`,
      ].join('\r\n'),
    )
  }

  #retry(): void {
    const { first, most, jitter } = RETRY_MS
    const waitMs = Math.min(most, first * 2 ** this.#attempts) * (1 + jitter * (2 * Math.random() - 1))
    this.#attempts += 1
    setTimeout(() => this.#connect(), waitMs)
  }

  #onData(chunk: Buffer): void {
    let data = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk
    this.#pending = undefined
    if (!this.#isUpgraded) {
      const end = data.indexOf(END_OF_HEAD)
      if (end < 0) return void (this.#pending = data)
      if (!data.subarray(0, 12).toString().endsWith(' 101')) return this.break()
      this.#isUpgraded = true
      data = data.subarray(end + END_OF_HEAD.length)
    }
    const at = this.#readMessages(data)
    if (at < data.length) this.#pending = data.subarray(at)
  }

  /** Returns where the first incomplete message begins. */
  #readMessages(data: Buffer): number {
    let at = this.#skipTo(data, 0)
    while (data.length - at >= 2) {
      const short = data[at + 1]! & 0x7f
      const body = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (data.length < body) return at
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : data.readUIntBE(at + 4, 6)
      if ((data[at]! & 0x0f) === BINARY) {
        this.#skip = length
        at = this.#skipTo(data, body)
        this.#onPart(length)
      } else {
        if (data.length < body + length) return at
        at = body + length
        this.#onText(data.toString('utf8', body, at))
      }
    }
    return at
  }

  #skipTo(data: Buffer, from: number): number {
    const skipped = Math.min(this.#skip, data.length - from)
    this.#skip -= skipped
    return from + skipped
  }

  #onText(text: string): void {
    if (text === '2') return this.#send('3')
    if (text.startsWith('0')) return this.#send('40')
    if (text.startsWith('40')) return this.#onConnected()
    const frames = /^4(?:2|5(\d+)-)\["frames",/.exec(text)
    if (!frames) return
    this.#parts = Number(frames[1] ?? 0)
    const [, contents] = JSON.parse(text.slice(text.indexOf('['))) as [string, unknown[]]
    this.#bytes = contents.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0)
    if (this.#parts === 0) this.#options.onFrames(this.#bytes)
  }

  #onPart(length: number): void {
    this.#bytes += length
    this.#parts -= 1
    if (this.#parts === 0) this.#options.onFrames(this.#bytes)
  }

  #onConnected(): void {
    this.#attempts = 0
    // As socket.io's client: from now on the heartbeats tell whether the connection is alive.
    this.#socket?.setTimeout(0)
    this.#send(`42${JSON.stringify(['subscribe', { topic: this.#options.topic }])}`)
  }

  /** Sends a short text, masked with zeros, which leave it as it is. */
  #send(text: string): void {
    const body = Buffer.from(text)
    const head =
      body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0x80 | 126, body.length >> 8, body.length & 0xff]
    this.#socket?.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]))
  }
}
