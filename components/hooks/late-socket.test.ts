import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { LateSocket } from './late-socket'

/** A socket that connects at once and keeps what it is asked to send. */
class Socket extends EventEmitter {
  connected = false
  active = false
  readonly sent: unknown[] = []

  connect(): void {
    this.connected = true
    this.active = true
    super.emit('connect')
  }

  disconnect(): void {
    this.connected = false
    this.active = false
  }

  override emit(event: string, ...args: unknown[]): boolean {
    this.sent.push([event, ...args])
    return true
  }
}

function late() {
  const made = new Socket()
  const code = Promise.withResolvers<Socket>()
  let asked = 0
  const load = () => {
    asked += 1
    return code.promise as never
  }
  const socket = new LateSocket(load, createFakeClock())
  const arrive = async (): Promise<void> => {
    code.resolve(made)
    await new Promise<void>((done) => setImmediate(done))
  }
  return { socket, made, arrive, asked: () => asked }
}

describe('a socket whose code comes later', () => {
  test('is fetched when it is to connect, and only once', () => {
    const { socket, asked } = late()
    expect([asked(), socket.active]).toEqual([0, false])
    socket.connect()
    socket.connect()
    expect([asked(), socket.connected, socket.active]).toEqual([1, false, true])
  })

  test('connects once its code is loaded, and calls listeners that were added before', async () => {
    const { socket, made, arrive } = late()
    const heard: string[] = []
    socket.on('connect', () => heard.push('early'))
    socket.connect()
    await arrive()
    socket.on('disconnect', () => heard.push('late'))
    expect([heard, made.listenerCount('disconnect'), socket.connected]).toEqual([['early'], 1, true])
    socket.emit('subscribe', { topic: 'clusters' })
    expect(made.sent).toEqual([['subscribe', { topic: 'clusters' }]])
  })

  test('stays away if it was disconnected meanwhile', async () => {
    const { socket, made, arrive } = late()
    socket.connect()
    socket.disconnect()
    await arrive()
    expect([made.connected, socket.active]).toEqual([false, false])
    socket.connect()
    expect(made.connected).toBe(true)
  })
})
