import type { Clock } from '@/lib/std/clock'
import { Later } from './later'
import type { LiveSocket } from './live-connection'

/**
 * A socket whose code is fetched when it is first asked to connect. Until then it is not connected, and it keeps the
 * listeners for the real one.
 */
export class LateSocket implements LiveSocket {
  readonly #code: Later<LiveSocket>
  #awaitsCode = false
  readonly #listeners: ((socket: LiveSocket) => void)[] = []

  /** `load` makes a socket that is not connected; failed attempts are repeated. */
  constructor(load: () => Promise<LiveSocket>, clock: Pick<Clock, 'after'>) {
    this.#code = new Later(load, clock)
    this.#code.subscribe(() => this.#take(this.#code.get()!))
  }

  get connected(): boolean {
    return this.#code.get()?.connected ?? false
  }

  get active(): boolean {
    return this.#code.get()?.active ?? this.#awaitsCode
  }

  connect(): void {
    const socket = this.#code.get()
    if (socket) return void socket.connect()
    this.#awaitsCode = true
    this.#code.want()
  }

  disconnect(): void {
    this.#awaitsCode = false
    this.#code.get()?.disconnect()
  }

  readonly on: LiveSocket['on'] = (event: never, listener: never): void => {
    const listen = (socket: LiveSocket): unknown => socket.on(event, listener)
    const socket = this.#code.get()
    if (socket) listen(socket)
    else this.#listeners.push(listen)
  }

  readonly emit: LiveSocket['emit'] = (event, ...args) => this.#code.get()?.emit(event, ...args)

  #take(socket: LiveSocket): void {
    for (const listen of this.#listeners.splice(0)) listen(socket)
    if (this.#awaitsCode) socket.connect()
  }
}
