/** Connection settings of an API server, and its keep-alive connections. */
import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import { expiredCredential } from './expired-credentials'
import { nameOfProxy } from './proxy'

/** Values that may change between requests: headers such as `authorization`, the client certificate, and the CA. */
export interface Credentials {
  headers?: Record<string, string>
  ca?: string
  cert?: string
  key?: string
}

export interface ConnectionOptions {
  /** `http://host:port` or `https://host:port`, with an optional path prefix. */
  url: string
  /** Bearer token. */
  token?: string
  /** PEM. */
  ca?: string
  /** PEM of the client certificate. */
  cert?: string
  /** PEM of the key of the client certificate. */
  key?: string
  /** Name expected in the server's certificate instead of the host in `url`. */
  serverName?: string
  insecureSkipTlsVerify?: boolean
  /** Address of the proxy between, possibly with user and password. */
  proxy?: string
  headers?: Record<string, string>
  /** Called before every request if credentials can change (plug-ins, files). Overrides the fields above. */
  refresh?: () => Promise<Credentials>
  /** Called when the server rejects the credentials (401): the next `refresh` has to bring new ones. */
  rejected?: () => void
}

/** No answer through the proxy. */
export class ProxyFault extends Error {
  constructor(
    /** Without a password. */
    readonly proxy: string,
    cause: unknown,
  ) {
    super(`through the proxy ${proxy}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Milliseconds until the first byte of an answer, and between its parts. */
const ANSWER_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
/**
 * Maximum connections for requests: enough for throughput, without exhausting the server's sockets. Further requests
 * are queued.
 */
const REQUEST_CONNECTIONS = 64

type Headers = Record<string, string | string[]>

interface Pools {
  certificate: string
  requests: Dispatcher
  /** Unbounded: every watch uses one connection and must not wait for another. */
  watches: Dispatcher
}

/**
 * Connections to one server, shared by all its clients. Requests use a bounded pool; watches have a separate one. Pools
 * are replaced when a certificate changes.
 */
export class Connection {
  /** Path prefix of the server without a trailing slash; usually empty. */
  readonly basePath: string
  readonly #options: ConnectionOptions
  readonly #origin: string
  #pools: Pools | undefined
  #closed = false
  #expired: string | undefined

  constructor(options: ConnectionOptions) {
    const url = new URL(options.url)
    this.#options = options
    this.#origin = url.origin
    this.basePath = url.pathname.replace(/\/$/, '')
  }

  /** Sends a request; rejects with undici's error when no answer comes. */
  async request(
    options: Omit<Dispatcher.RequestOptions, 'origin'>,
    streaming = false,
  ): Promise<Dispatcher.ResponseData> {
    const credentials = await this.#credentials()
    const pools = this.#current(credentials)
    const headers = headersOf(credentials, options.headers as Headers | undefined)
    const answer = await this.#send(streaming ? pools.watches : pools.requests, { ...options, headers })
    if (answer.statusCode === 401) {
      this.#expired = expiredCredential(credentials, Date.now())
      this.#options.rejected?.()
    }
    return answer
  }

  /** What had expired of the credentials that were last rejected. */
  get expired(): string | undefined {
    return this.#expired
  }

  async #send(pool: Dispatcher, options: Omit<Dispatcher.RequestOptions, 'origin'>): Promise<Dispatcher.ResponseData> {
    try {
      return await pool.request({ ...options, origin: this.#origin })
    } catch (error) {
      const { proxy } = this.#options
      throw proxy === undefined || isAborted(options.signal) ? error : new ProxyFault(nameOfProxy(proxy), error)
    }
  }

  /** Closes all connections, including those in use. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#drop()
  }

  async #credentials(): Promise<Credentials> {
    const { token, headers, ca, cert, key, refresh } = this.#options
    const fresh = await refresh?.()
    return {
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }), ...fresh?.headers },
      ca: fresh?.ca ?? ca,
      cert: fresh?.cert ?? cert,
      key: fresh?.key ?? key,
    }
  }

  #current(credentials: Credentials): Pools {
    if (this.#closed) throw new Error('the connection is closed')
    const certificate = [credentials.ca, credentials.cert, credentials.key].join('\n')
    if (this.#pools?.certificate === certificate) return this.#pools
    const outdated = this.#pools
    this.#pools = { certificate, ...this.#open(credentials) }
    // Running requests finish with the old certificate; watches end and resume with the new one.
    if (outdated) void Promise.allSettled([outdated.requests.close(), outdated.watches.destroy()])
    return this.#pools
  }

  #open({ ca, cert, key }: Credentials): Omit<Pools, 'certificate'> {
    const { serverName, insecureSkipTlsVerify } = this.#options
    const connect = {
      timeout: CONNECT_TIMEOUT_MS,
      rejectUnauthorized: insecureSkipTlsVerify !== true,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
    }
    // Servers close idle connections after their own timeout; a shorter one here avoids writing into a closing socket.
    const keepAlive = { keepAliveTimeout: 4000, keepAliveTimeoutThreshold: 2000 }
    // A cancelled HTTP/2 request can make Node.js send empty frames without end, and the process hangs.
    const shared = { allowH2: false, pipelining: 1, headersTimeout: ANSWER_TIMEOUT_MS, ...keepAlive }
    const open = (options: Pool.Options): Dispatcher => this.#dispatcher({ ...shared, ...options }, connect)
    return {
      requests: open({ connections: REQUEST_CONNECTIONS, bodyTimeout: ANSWER_TIMEOUT_MS }),
      watches: open({ connections: null, bodyTimeout: 0 }),
    }
  }

  /** Through a proxy, `connect` is about the server behind it; the certificate of a proxy is verified as usual. */
  #dispatcher(options: Pool.Options, connect: ConnectOptions): Dispatcher {
    const { proxy } = this.#options
    if (proxy === undefined) return new Pool(this.#origin, { ...options, connect })
    return new ProxyAgent({
      ...options,
      uri: proxy,
      requestTls: connect,
      proxyTls: { timeout: CONNECT_TIMEOUT_MS },
      clientFactory: (origin, own) => new Pool(origin, { ...own, headersTimeout: CONNECT_TIMEOUT_MS }),
    })
  }

  async #drop(): Promise<void> {
    const pools = this.#pools
    this.#pools = undefined
    if (pools) await Promise.all([pools.requests.destroy(), pools.watches.destroy()])
  }
}

type ConnectOptions = Exclude<NonNullable<Pool.Options['connect']>, (...given: never[]) => unknown>

/** An abort signal, or whatever else undici accepts as one. */
const isAborted = (signal: unknown): boolean =>
  typeof signal === 'object' && signal !== null && 'aborted' in signal && signal.aborted === true

/**
 * Returns the headers of a request. Credentials may themselves impersonate a user; a request that impersonates another
 * user must not keep the first user's groups.
 */
function headersOf({ headers: own = {} }: Credentials, given: Headers = {}): Headers {
  if (!('impersonate-user' in given)) return { ...own, ...given }
  const kept = Object.entries(own).filter(([name]) => !name.toLowerCase().startsWith('impersonate-'))
  return { ...Object.fromEntries(kept), ...given }
}
