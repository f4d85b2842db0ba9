/** Closes a server's connections without truncating an answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  readonly leaving: boolean
  /**
   * Refuses new connections and closes idle ones, including upgraded ones; the others are closed after their responses,
   * at the latest after `graceMs`.
   */
  leave(graceMs: number): Promise<void>
}

/**
 * Tracks the connections of `server` from now on. Node counts a connection without any request as busy and would wait
 * for it.
 */
export function followConnections(server: Server): Connections {
  const running = new Map<Socket, number>()
  let leaving = false
  server.on('connection', (socket: Socket) => {
    running.set(socket, 0)
    socket.once('close', () => running.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    running.set(socket, (running.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const rest = (running.get(socket) ?? 1) - 1
      if (running.has(socket)) running.set(socket, rest)
      if (leaving && rest === 0) socket.destroySoon()
    })
  })
  const leave = async (graceMs: number): Promise<void> => {
    leaving = true
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    for (const [socket, requests] of running) if (requests === 0) socket.destroySoon()
    const late = setTimeout(() => {
      for (const socket of running.keys()) socket.destroy()
    }, graceMs)
    await closed
    clearTimeout(late)
  }
  return {
    get leaving() {
      return leaving
    },
    leave,
  }
}
