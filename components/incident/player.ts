/** Plays time: moves a playhead from frame to frame without a render, and tells readers of text twice a second. */

export interface Frames {
  /** Milliseconds, monotonic. */
  now: () => number
  /** Calls back before the next frame is drawn; returns what cancels that. */
  next: (draw: () => void) => () => void
}

export interface PlayerState {
  /** The time that is shown; undefined follows the present. */
  at: number | undefined
  playing: boolean
  speed: number
}

export const SPEEDS = [1, 10, 60] as const
const TICK_MS = 500

export class Player {
  #state: PlayerState = { at: undefined, playing: false, speed: 1 }
  #from = 0
  #to = 0
  #stops: readonly number[] = []
  #present = 0
  #at: number | undefined
  #drawnAt = 0
  #notifiedAt = 0
  #cancel: (() => void) | undefined
  readonly #listeners = new Set<() => void>()
  readonly #frames: Frames
  #draw: (at: number) => void = () => undefined

  constructor(frames: Frames) {
    this.#frames = frames
  }

  /** Subscribes for `useSyncExternalStore`: called on each command, and twice a second during playback. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly getState = (): PlayerState => this.#state

  /** `draw` is called with each frame's time; the range can be shown, and `present` is followed. */
  setScene({ from, to, present, stops, draw }: Scene): void {
    this.#from = from
    this.#to = to
    this.#present = present
    this.#stops = stops
    this.#draw = draw
    this.#draw(this.#time())
  }

  play(): void {
    const at = this.#time()
    this.#at = at >= this.#end() ? this.#from : at
    this.#drawnAt = this.#frames.now()
    this.#notify({ playing: true })
    this.#loop()
  }

  pause(): void {
    this.#stop()
    this.#notify({ playing: false })
  }

  toggle(): void {
    if (this.#state.playing) this.pause()
    else this.play()
  }

  setSpeed(speed: number): void {
    this.#notify({ speed })
  }

  /** Shows a moment; what plays goes on from there. */
  seek(at: number): void {
    this.#at = Math.min(Math.max(at, this.#from), this.#end())
    this.#draw(this.#at)
    this.#notify({})
  }

  /** To the next of those times, or the previous one. */
  step(direction: 1 | -1, among: readonly number[] = this.#stops): void {
    const at = this.#time()
    const next = direction === 1 ? among.find((stop) => stop > at) : among.findLast((stop) => stop < at)
    this.#stop()
    this.seek(next ?? (direction === 1 ? this.#end() : this.#from))
    this.#notify({ playing: false })
  }

  /** Follows the present again. */
  follow(): void {
    this.#stop()
    this.#at = undefined
    this.#draw(this.#time())
    this.#notify({ playing: false })
  }

  stop(): void {
    this.#stop()
  }

  #time = (): number => this.#at ?? this.#present
  #end = (): number => Math.min(this.#to, Math.max(this.#present, this.#from))

  #loop(): void {
    this.#stop()
    this.#cancel = this.#frames.next(() => this.#frame())
  }

  #frame(): void {
    const now = this.#frames.now()
    const passed = (now - this.#drawnAt) * this.#state.speed
    this.#drawnAt = now
    this.#at = Math.min(this.#time() + passed, this.#end())
    this.#draw(this.#at)
    if (this.#at >= this.#end()) return this.follow()
    if (now - this.#notifiedAt >= TICK_MS) this.#notify({})
    this.#loop()
  }

  #stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #notify(change: Partial<PlayerState>): void {
    this.#notifiedAt = this.#frames.now()
    this.#state = { ...this.#state, ...change, at: this.#at }
    for (const listener of this.#listeners) listener()
  }
}

export interface Scene {
  from: number
  to: number
  present: number
  stops: readonly number[]
  draw: (at: number) => void
}
