/** Connections to aggregated servers: HTTPS with the identity of the caller in headers, which our certificate vouches for. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import type { Clock } from '@/lib/std/clock'
import { CallFailure, describeFailure, TimedOut } from '../admission/call-failure'
import { locate } from '../admission/endpoint'
import type { Caller } from '../call'
import type { Store } from '../store/store'
import type { KeyPair } from '../tls/certificates'
import type { Remote } from './registrations'

/** A request for an aggregated server. */
export interface Outgoing {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  caller: Caller
  body?: Buffer
  /** How long the server may take until its answer begins. */
  patienceMs: number
}

export interface RemoteServers {
  /** Sends a request; resolves with the answer as soon as it begins. Rejects with CallFailure. */
  send(remote: Remote, outgoing: Outgoing): Promise<IncomingMessage>
  close(): void
}

const IDLE_CONNECTIONS = 8

/** Connections prove with `identity` that headers about users can be trusted. */
export function openRemoteServers(
  { store, clock }: { store: Store; clock: Clock },
  identity: KeyPair | undefined,
): RemoteServers {
  const agents = new Map<string, { agent: Agent; trust: string }>()
  const agentOf = ({ entry, spec }: Remote): Agent => {
    const name = entry.value.metadata.name
    const trust = `${String(spec.insecureSkipTLSVerify)} ${spec.caBundle ?? ''}`
    const known = agents.get(name)
    if (known?.trust === trust) return known.agent
    known?.agent.destroy()
    const agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, ...trustOf(spec), ...identity })
    agents.set(name, { agent, trust })
    return agent
  }
  return {
    send: (remote, outgoing) => exchange({ store, clock, agent: agentOf(remote) }, remote, outgoing),
    close: () => {
      for (const { agent } of agents.values()) agent.destroy()
    },
  }
}

function trustOf({ caBundle, insecureSkipTLSVerify }: Remote['spec']): object {
  if (insecureSkipTLSVerify) return { rejectUnauthorized: false }
  return caBundle ? { ca: Buffer.from(caBundle, 'base64').toString('utf8') } : {}
}

interface Ground {
  store: Store
  clock: Clock
  agent: Agent
}

async function exchange({ store, clock, agent }: Ground, remote: Remote, outgoing: Outgoing): Promise<IncomingMessage> {
  const { name = '', namespace = '', port = 443 } = remote.service
  const { endpoint, ...unreachable } = locate(store, '', { service: { name, namespace, port } })
  if (!endpoint) throw new CallFailure('problem' in unreachable ? unreachable.problem : unreachable.url)
  const { method, path, body, patienceMs } = outgoing
  const { host, serverName: servername, authority } = endpoint
  const headers = { ...headersFor(outgoing), host: authority }
  try {
    const request = secureRequest({ agent, servername, host, port: endpoint.port, method, path, headers })
    const stop = clock.after(patienceMs, () => request.destroy(new TimedOut()))
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('error', reject).once('response', resolve).end(body)
    }).finally(stop)
  } catch (error) {
    throw new CallFailure(describeFailure(error), { cause: error })
  }
}

/** They concern this connection, this server's credentials, or who may be acted for. */
const NOT_PASSED_ON =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|authorization|cookie|accept-encoding|expect|impersonate-.*|x-remote-.*)$/

function headersFor({ headers, caller, body }: Outgoing): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name))
  const extra = Object.entries(caller.extra ?? {}).map(([name, values]) => [
    `x-remote-extra-${encodeURIComponent(name).toLowerCase()}`,
    values.map(wire),
  ])
  return {
    ...(Object.fromEntries([...passed, ...extra]) as OutgoingHttpHeaders),
    'x-remote-user': wire(caller.user),
    ...(caller.uid && { 'x-remote-uid': wire(caller.uid) }),
    'x-remote-group': caller.groups.map(wire),
    ...(body && { 'content-length': body.length }),
  }
}

/** Encodes text for a header as UTF-8 bytes. Replaces line breaks, which would end the header. */
function wire(text: string): string {
  return Buffer.from(text.replaceAll(/[\0\r\n]/g, ' '), 'utf8').toString('latin1')
}
