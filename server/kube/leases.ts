/**
 * Leader election by a coordination.k8s.io Lease: of all candidates, at most one leads.
 *
 * A holder counts as gone if its record did not change for the lease duration. This is measured on the local clock from
 * the moment when the record was observed, so clocks need not agree. A leader that cannot renew stops leading
 * (`renewSeconds`) well before another candidate may take over (`leaseSeconds`).
 */
import { isAlreadyExists, isConflict, isNotFound } from '@/lib/kube/errors'
import { type Lease, lease as leaseKind } from '@/lib/kube/kinds/lease'
import { isoTime, type Clock, type EpochMs, type Stop } from '@/lib/std/clock'
import type { KubeClient } from './client'

/** A term of leadership. Check `isHeld` right before each write. */
export interface Fence {
  /** Increases with every change of leader. */
  readonly term: number
  /** False as soon as another leader is possible, even before a timer fires. */
  isHeld(): boolean
}

export interface LeadershipCallbacks {
  onLead(fence: Fence): void
  /** Leadership ended; the lease is released after this resolves. */
  onLost(): void | Promise<void>
}

export interface ElectionOptions {
  client: KubeClient
  clock: Clock
  /** Uniform in [0, 1), for jitter. */
  random: () => number
  namespace: string
  name: string
  /** Unique among all candidates, for instance host name and a UID. */
  identity: string
  /** Called for failed attempts, which are retried. */
  onError: (error: unknown) => void
  /** Default 15. */
  leaseSeconds?: number
  /** Default 10. Less than `leaseSeconds`. */
  renewSeconds?: number
  /** Default 2. */
  retrySeconds?: number
}

export interface Election {
  isLeader(): boolean
  /** The identity of the current holder, as last observed. */
  holder(): string | undefined
  /** Releases the lease and stops the election. */
  stop(): Promise<void>
}

/** Starts a candidate for the lease. It may win and lose leadership repeatedly until stopped. */
export function startElection(options: ElectionOptions, callbacks: LeadershipCallbacks): Election {
  const candidate = new Candidate(options, callbacks)
  candidate.start()
  return candidate
}

/** One object per term, so that the fence of an earlier term never becomes valid again. */
interface Term {
  readonly number: number
  renewed: ClockReading
}

/**
 * A moment in both clocks. The wall clock may be set back, and elapsed time may stop while the machine sleeps;
 * leadership ends when either clock reaches the deadline.
 */
interface ClockReading {
  now: EpochMs
  elapsed: number
}

class Candidate implements Election {
  /** `at` is elapsed time. */
  #seen: { lease: Lease; at: number } | undefined
  /** The lease as this candidate last wrote it, if that succeeded. */
  #own: Lease | undefined
  /** Set while leading; `renewed` is when the last successful renewal was sent. */
  #term: Term | undefined
  #cancelDeadline: Stop = () => undefined
  #wake: () => void = () => undefined
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(
    private readonly options: ElectionOptions,
    private readonly callbacks: LeadershipCallbacks,
  ) {}

  start(): void {
    this.#running = this.#run()
  }
  isLeader(): boolean {
    return this.#term !== undefined && this.#isHeld(this.#term)
  }
  holder(): string | undefined {
    return this.#seen?.lease.spec?.holderIdentity || undefined
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#try()
      if (!this.#stopped) await this.#sleep()
    }
    const wasLeader = this.#term !== undefined
    await this.#lose()
    if (wasLeader) await this.#release()
  }

  async #try(): Promise<void> {
    const { clock } = this.options
    const sent = { now: clock.now(), elapsed: clock.elapsed() }
    try {
      const lease = await this.#acquireOrRenew(sent.now)
      if (lease) this.#lead(lease, sent)
      else await this.#lose()
    } catch (error) {
      // Another candidate won, or the server does not answer. A leader continues until its deadline.
      if (!isConflict(error) && !isAlreadyExists(error)) this.options.onError(error)
    }
  }

  /** Returns the lease if this candidate now holds it; undefined if another one does. */
  async #acquireOrRenew(now: EpochMs): Promise<Lease | undefined> {
    const { client, namespace, name, identity } = this.options
    const renewed = await this.#renew(now)
    if (renewed) return renewed
    const lease = await this.#read()
    if (!lease) {
      return client.create(leaseKind, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace, name },
        spec: this.#spec(now),
      })
    }
    const ours = lease.spec?.holderIdentity === identity
    if (!ours && !this.#isAbandoned(lease)) return undefined
    return client.update(leaseKind, { ...lease, spec: this.#spec(now, lease.spec, ours) })
  }

  /** One write without a read, unless the lease changed or is gone. */
  async #renew(now: EpochMs): Promise<Lease | undefined> {
    const own = this.#own
    this.#own = undefined
    try {
      return own && (await this.options.client.update(leaseKind, { ...own, spec: this.#spec(now, own.spec, true) }))
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return undefined
      throw error
    }
  }

  async #read(): Promise<Lease | undefined> {
    const { client, clock, namespace, name } = this.options
    try {
      const lease = await client.get(leaseKind, { namespace, name })
      const seen = this.#seen?.lease.metadata.resourceVersion
      if (seen !== lease.metadata.resourceVersion) this.#seen = { lease, at: clock.elapsed() }
      return lease
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  #isAbandoned(lease: Lease): boolean {
    if (!lease.spec?.holderIdentity) return true
    const seconds = lease.spec.leaseDurationSeconds ?? this.#leaseSeconds
    return this.#seen !== undefined && this.options.clock.elapsed() >= this.#seen.at + seconds * 1000
  }

  #spec(now: EpochMs, old?: Lease['spec'], ours = false): Lease['spec'] {
    return {
      ...old,
      holderIdentity: this.options.identity,
      leaseDurationSeconds: this.#leaseSeconds,
      acquireTime: (ours ? old?.acquireTime : undefined) ?? microTime(now),
      renewTime: microTime(now),
      leaseTransitions: (old?.leaseTransitions ?? 0) + (old && !ours ? 1 : 0),
    }
  }

  #lead(lease: Lease, renewed: ClockReading): void {
    const { clock } = this.options
    this.#seen = { lease, at: clock.elapsed() }
    this.#own = lease
    const number = lease.spec?.leaseTransitions ?? 0
    const former = this.#term?.number === number ? this.#term : undefined
    const term = former ?? { number, renewed }
    term.renewed = renewed
    this.#term = term
    this.#cancelDeadline()
    this.#cancelDeadline = clock.after(renewed.elapsed + this.#renewMs - clock.elapsed(), () => this.#wake())
    if (!former) this.callbacks.onLead({ term: number, isHeld: () => this.#isHeld(term) })
  }

  async #lose(): Promise<void> {
    if (!this.#term) return
    this.#cancelDeadline()
    this.#term = undefined
    await this.callbacks.onLost()
  }

  async #release(): Promise<void> {
    const { client, namespace, name, identity } = this.options
    try {
      const lease = await client.get(leaseKind, { namespace, name })
      if (lease.spec?.holderIdentity !== identity) return
      await client.update(leaseKind, { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } })
    } catch (error) {
      // A lease that is not released expires.
      this.options.onError(error)
    }
  }

  #isHeld(term: Term): boolean {
    const { clock } = this.options
    const { now, elapsed } = term.renewed
    return this.#term === term && Math.max(clock.now() - now, clock.elapsed() - elapsed) < this.#renewMs
  }

  async #sleep(): Promise<void> {
    const { clock, random, retrySeconds = 2 } = this.options
    const jitter = this.#term ? 1 : 1 + random() * 0.2
    await new Promise<void>((resolve) => {
      const cancel = clock.after(retrySeconds * 1000 * jitter, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
    if (this.#term && !this.#isHeld(this.#term)) await this.#lose()
  }

  get #leaseSeconds(): number {
    return this.options.leaseSeconds ?? 15
  }
  get #renewMs(): number {
    return (this.options.renewSeconds ?? 10) * 1000
  }
}

/** Formats a `metav1.MicroTime`. */
function microTime(at: EpochMs): string {
  return isoTime(at).replace('Z', '000Z')
}
