/** The connection to a webhook: HTTPS that its own authority vouches for, or HTTP on loopback. */
import { Agent as PlainAgent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { AdmissionWebhook } from '@/lib/kube/kinds'
import type { Clock } from '@/lib/std/clock'
import { describeJsonError } from '../json-error'
import type { Store } from '../store/store'
import { CallFailure, describeAnswer, describeFailure, TimedOut } from './call-failure'
import { type Endpoint, locate } from './endpoint'

export interface Connection {
  /** Sends a review and returns the parsed response. Rejects with CallFailure. */
  send(review: object): Promise<unknown>
  /** Lets go of idle connections; calls under way go on. */
  close(): void
}

const IDLE_CONNECTIONS = 8
const ANSWER_LIMIT = 8 * 1024 * 1024
const DEFAULT_TIMEOUT_SECONDS = 10

/** Finds the webhook for a URL in this process. If it is defined, no webhook is called over a network. */
export type FindLocalWebhook = (url: string) => ((review: object) => Promise<unknown>) | undefined

/** Source of Services and local webhooks, and clock of deadlines. */
interface Ground {
  store: Store
  clock: Clock
  localWebhook?: FindLocalWebhook | undefined
}

/** Connection settings of a webhook. */
type Called = Pick<AdmissionWebhook, 'clientConfig' | 'timeoutSeconds'>

/** Creates a connection to a webhook of a configuration in `keyspace`. It is opened at the first call. */
export function createConnection(
  { store, clock, localWebhook }: Ground,
  keyspace: string,
  webhook: Called,
): Connection {
  const { clientConfig, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = webhook
  const agents = createAgents(clientConfig.caBundle)
  return {
    send: async (review) => {
      if (localWebhook) return askLocally(localWebhook(clientConfig.url ?? ''), review)
      const found = locate(store, keyspace, clientConfig)
      const query = `?timeout=${timeoutSeconds}s`
      try {
        if (!found.endpoint) throw new CallFailure(found.problem)
        const { endpoint } = found
        const post: Post = { endpoint, path: endpoint.path + query, body: Buffer.from(JSON.stringify(review)) }
        return parse(await sendInTime(() => agents.open(post), post.body, { clock, timeoutSeconds }))
      } catch (error) {
        const text = error instanceof CallFailure ? error.message : describeFailure(error)
        throw new CallFailure(`Post ${JSON.stringify(found.url + query)}: ${text}`, { cause: error })
      }
    },
    close: agents.close,
  }
}

async function askLocally(local: ReturnType<FindLocalWebhook>, review: object): Promise<unknown> {
  if (!local) throw new CallFailure('connection refused')
  try {
    return await local(review)
  } catch (error) {
    throw new CallFailure(describeFailure(error), { cause: error })
  }
}

interface Post {
  endpoint: Endpoint
  path: string
  body: Buffer
}

interface Agents {
  open(post: Post): ClientRequest
  close(): void
}

function createAgents(caBundle: string | undefined): Agents {
  const settings = { keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS }
  const plain = new PlainAgent(settings)
  const ca = caBundle ? { ca: Buffer.from(caBundle, 'base64').toString('utf8') } : {}
  const secure = new SecureAgent({ ...settings, ...ca })
  return {
    open: ({ endpoint, path, body }) => {
      const { host, port, serverName, authority } = endpoint
      const headers = {
        Host: authority,
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'User-Agent': 'kube-apiserver-admission',
      }
      const options = { method: 'POST', host, port, path, headers }
      return endpoint.secure
        ? secureRequest({ ...options, agent: secure, servername: serverName })
        : plainRequest({ ...options, agent: plain })
    },
    close: () => {
      destroyWhenIdle(plain)
      destroyWhenIdle(secure)
    },
  }
}

/** Closes idle connections now, others after their call, because a call may change the configurations. */
function destroyWhenIdle(agent: PlainAgent): void {
  agent.maxFreeSockets = 0
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

interface Answered {
  code: number
  type: string | undefined
  text: string
}

function parse({ code, type, text }: Answered): unknown {
  if (code < 200 || code > 206) throw new CallFailure(describeAnswer(code, text, type))
  try {
    return JSON.parse(text)
  } catch {
    throw new CallFailure(`couldn't get version/kind; json parse error: ${describeJsonError(text)}`)
  }
}

interface TimeoutOptions {
  clock: Clock
  timeoutSeconds: number
}

/** How a write to a kept connection fails that the other side has closed. */
const CLOSED_MEANWHILE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** One exchange, repeated once if a kept-alive connection was closed. Rejects at the timeout. */
async function sendInTime(
  open: () => ClientRequest,
  body: Buffer,
  { clock, timeoutSeconds }: TimeoutOptions,
): Promise<Answered> {
  let request = open()
  const stop = clock.after(timeoutSeconds * 1000, () => request.destroy(new TimedOut()))
  try {
    try {
      return await exchange(request, body)
    } catch (error) {
      if (!request.reusedSocket || !CLOSED_MEANWHILE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      request = open()
      return await exchange(request, body)
    }
  } finally {
    stop()
  }
}

function exchange(request: ClientRequest, body: Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      read(response).then(resolve, reject)
    })
    request.end(body)
  })
}

async function read(response: IncomingMessage): Promise<Answered> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_LIMIT) throw new CallFailure('http: response body too large')
    chunks.push(chunk)
  }
  return {
    code: response.statusCode ?? 0,
    type: response.headers['content-type'],
    text: Buffer.concat(chunks).toString('utf8'),
  }
}
