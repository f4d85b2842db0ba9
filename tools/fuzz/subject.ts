/** The product under test: a process of its own with two simulated members, which is measured, killed and restarted. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeDataDir, startProduct, type Product } from '@/e2e/support/product'
import { createRawClient, type RawClient } from './broken/raw-client'
import { complaintAbout } from './broken/complaints'
import { createHttpClient, type HttpClient, TIMEOUT_MS, TOO_LATE } from './http-client'
import { exchangeFrames } from './live-frames'
import { type Measure, measureOf } from './measure'
import { type CookieStep, type RequestStep, type Step, type StepAnswer, TOKEN_PLACEHOLDER } from './steps'
import { prepareStage } from './stage'

const FLAGS = [
  '--no-demo',
  '--login=required',
  '--log-level=warn',
  '--rate-limit-queries=0',
  '--rate-limit-actions=0',
  '--audit-log=none',
  '--cluster-status-update-frequency=1s',
]
/** What is never given back ends the process instead of the machine. */
const ENV = { NODE_OPTIONS: '--max-old-space-size=1500' }
const WAIT_MS = 10_000
const POLL_MS = 50

/** A running product and how it is reached. */
export class Subject {
  #product!: Product
  #api!: HttpClient
  #console!: HttpClient
  #raw!: RawClient
  #token = ''
  #cookie = { name: '', value: '' }
  /** Requests sent so far. */
  requests = 0

  /** Starts a new product with an empty data directory. Needs a build (`npm start` makes one). */
  static async start(): Promise<Subject> {
    const subject = new Subject()
    await subject.#launch()
    return subject
  }

  async #launch(dataDir?: string): Promise<void> {
    this.#product = await startProduct({ flags: FLAGS, env: ENV, ...(dataDir !== undefined && { dataDir }) })
    const { kubeconfig, url } = this.#product
    const port = Number(/server: https?:\/\/[^:]+:(\d+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1])
    const admin = readFileSync(join(this.#product.dataDir, 'admin-token'), 'utf8').trim()
    this.#api = createHttpClient(`http://127.0.0.1:${port}`, { authorization: `Bearer ${admin}` })
    this.#console = createHttpClient(url, { origin: url })
    this.#raw = createRawClient(port, TIMEOUT_MS)
    this.#token = await prepareStage(this)
    this.#cookie = await this.#logIn()
  }

  async #logIn(): Promise<{ name: string; value: string }> {
    const { status, headers, body } = await this.#console.send({
      method: 'POST',
      path: '/api/v1/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: this.#token }),
    })
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(headers['set-cookie']?.[0] ?? '') ?? []
    if (status >= 300 || name === '') throw new Error(`the tenant could not log in: ${status} ${body}`)
    return { name, value }
  }

  /** What the product printed, warnings and errors. */
  output(): string {
    return this.#product.output()
  }

  /** False once the process ended. */
  get alive(): Promise<boolean> {
    // One iteration of the event loop, in which a pending exit is reported.
    const later = new Promise<boolean>((resolve) => {
      setImmediate(() => resolve(true))
    })
    return Promise.race([this.#product.ended.then(() => false), later])
  }

  /** What the product printed last. */
  get lastOutput(): string {
    return this.output().trim().split('\n').slice(-12).join('\n').slice(-1500)
  }

  /** The header, and whether the value in it is still the one that the console gave; spaces around it do not count. */
  cookieOf(step: CookieStep): { header: string; sameValue: boolean } {
    const { name, value } = this.#cookie
    const { at = 0, remove = 0, insert = '' } = step.change ?? {}
    const place = Math.min(value.length, Math.floor(at * (value.length + 1)))
    const changed = step.change ? value.slice(0, place) + insert + value.slice(place + remove) : value
    return {
      header: step.cookie.replaceAll('{name}', name).replaceAll('{value}', changed),
      sameValue: changed.trim() === value,
    }
  }

  /** Never rejects: what fails is an answer with status 0. A process that does not answer in time is killed. */
  async send(step: Step): Promise<StepAnswer> {
    this.requests += 1
    try {
      const answer = await this.#sendOnce(step)
      if (answer.status === 0 && answer.body.includes(TOO_LATE)) await this.#product.kill()
      return answer
    } catch (error) {
      const body = String(error)
      if (body.includes(TOO_LATE)) await this.#product.kill()
      return { status: 0, body }
    }
  }

  async #sendOnce(step: Step): Promise<StepAnswer> {
    switch (step.do) {
      case 'request':
        return this.#request(step)
      case 'raw':
        return this.#sendRaw(Buffer.from(step.bytes, 'base64'))
      case 'wait':
        return this.#wait(step.path, step.for)
      case 'frames':
        return exchangeFrames(this.#product.url, `${this.#cookie.name}=${this.#cookie.value}`, step)
      case 'cookie':
        return this.#console.send({
          method: 'GET',
          path: '/api/v1/session',
          headers: { cookie: this.cookieOf(step).header },
        })
    }
  }

  async #request({ method, path, as, type = 'application/json', body, headers }: RequestStep): Promise<StepAnswer> {
    const answer = await this.#api.send({
      method,
      path,
      body,
      headers: {
        ...(body !== undefined && { 'content-type': type }),
        ...(as !== undefined && { 'impersonate-user': as }),
        ...headers,
      },
    })
    const complaint =
      answer.status === 0
        ? undefined
        : complaintAbout(
            { status: answer.status, head: answer.head, body: Buffer.from(answer.body), streams: false },
            method === 'HEAD',
          )
    return { status: answer.status, body: answer.body, ...(complaint && { complaint }) }
  }

  async #sendRaw(bytes: Buffer): Promise<StepAnswer> {
    const mark = bytes.indexOf(TOKEN_PLACEHOLDER)
    const whole =
      mark < 0
        ? bytes
        : Buffer.concat([
            bytes.subarray(0, mark),
            Buffer.from(this.#token),
            bytes.subarray(mark + TOKEN_PLACEHOLDER.length),
          ])
    const answer = await this.#raw.send(whole)
    const complaint = complaintAbout(answer, bytes.toString('latin1', 0, 4) === 'HEAD')
    return { status: answer.status, body: answer.body.toString(), ...(complaint && { complaint }) }
  }

  async #wait(path: string, awaited: 'there' | 'gone' | { text: string }): Promise<{ status: number; body: string }> {
    const deadline = performance.now() + WAIT_MS
    for (;;) {
      const answer = await this.#api.send({ method: 'GET', path })
      const { status, body } = answer
      const holds =
        awaited === 'there' ? status === 200 : awaited === 'gone' ? status === 404 : body.includes(awaited.text)
      if (holds || performance.now() > deadline) return { status: holds ? status : 504, body }
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS)
      })
    }
  }

  /** Figures of the process since the last time; begins a new period. */
  async measure(): Promise<Measure> {
    const { body } = await this.#console.send({ method: 'GET', path: '/metrics' })
    return measureOf(body, this.#product.pid)
  }

  /** `kill -9`, then the same data again. Rejects when it does not start. */
  async restart(): Promise<void> {
    const { dataDir } = this.#product
    await this.#disconnect()
    await this.#product.kill()
    await this.#launch(dataDir)
  }

  /** Goes on with a new product and empty data. */
  async renew(): Promise<void> {
    await this.stop()
    await this.#launch()
  }

  async stop(): Promise<void> {
    await this.#disconnect()
    await this.#product.kill()
    removeDataDir(this.#product.dataDir)
  }

  async #disconnect(): Promise<void> {
    this.#raw.close()
    this.#api.close()
    this.#console.close()
  }
}
