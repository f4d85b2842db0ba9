/** A client that compares its one object with the responses it got before a crash. */
import type { Rng } from '@/lib/std/rng'
import { type Answered, type Connection, ConnectionLost } from './connection'
import { CRASH_PATH } from './crash-path'
import { expectSuccess } from './objects'

/** The object's number, or undefined if it does not exist. */
interface State {
  number: number | undefined
  revision: number
}

export class CrashWriter {
  acknowledged = 0
  /** Unacknowledged writes that were present after the next start, and those that were not. */
  kept = 0
  undone = 0
  #state: State = { number: undefined, revision: 0 }
  /** Continues when the object is deleted and recreated: each write has its own number. */
  #highest = 0
  #underWay: { number: number | undefined } | undefined
  #revisions: number[] = []

  constructor(
    private readonly name: string,
    private readonly rng: Rng,
  ) {}

  /** Writes until the connection is lost. */
  async write(connection: Connection): Promise<void> {
    try {
      for (;;) await this.#writeOnce(connection)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    }
  }

  async #writeOnce(connection: Connection): Promise<void> {
    const exists = this.#state.number !== undefined
    const deletes = exists && this.rng.next() < 0.2
    this.#underWay = { number: deletes ? undefined : ++this.#highest }
    const revision = deletes ? await this.#remove(connection) : await this.#put(connection, exists, this.#highest)
    this.#state = { number: this.#underWay.number, revision }
    this.#underWay = undefined
    this.acknowledged++
    if (revision > 0) this.#revisions.push(revision)
  }

  async #put(connection: Connection, exists: boolean, number: number): Promise<number> {
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: this.name },
      data: { number: String(number) },
    })
    const path = exists ? `${CRASH_PATH}/${this.name}` : CRASH_PATH
    return revisionIn(await connection.send(exists ? 'PUT' : 'POST', path, body))
  }

  /** The response of a deletion lacks its revision; the watch has it. */
  async #remove(connection: Connection): Promise<0> {
    expectSuccess(await connection.send('DELETE', `${CRASH_PATH}/${this.name}`))
    return 0
  }

  /** Compares the stored object with the acknowledged writes and continues from there. Throws when a write was lost. */
  async check(connection: Connection): Promise<void> {
    const found = stateIn(await connection.send('GET', `${CRASH_PATH}/${this.name}`))
    const promised = this.#state.number
    const underWay = this.#underWay
    this.#underWay = undefined
    if (found.number !== promised) {
      if (!underWay || underWay.number !== found.number) throw lost(this.name, { promised, found: found.number })
      this.kept++
    } else if (underWay) {
      this.undone++
      if (underWay.number !== undefined) this.#highest--
    }
    this.#state = found
  }

  /** The revisions that were acknowledged since the last time. */
  takeAcknowledged(): number[] {
    return this.#revisions.splice(0)
  }
}

function lost(name: string, { promised, found }: Record<'promised' | 'found', number | undefined>): Error {
  const word = (number: number | undefined): string => (number === undefined ? 'absent' : `at ${number}`)
  return new Error(`a write was lost: ${name} was acknowledged ${word(promised)} and is ${word(found)}`)
}

function revisionIn(answered: Answered): number {
  expectSuccess(answered)
  return Number(
    (JSON.parse(answered.body.toString()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
  )
}

function stateIn(answered: Answered): State {
  if (answered.status === 404) return { number: undefined, revision: 0 }
  expectSuccess(answered)
  const { metadata, data } = JSON.parse(answered.body.toString()) as {
    metadata: { resourceVersion: string }
    data: { number: string }
  }
  return { number: Number(data.number), revision: Number(metadata.resourceVersion) }
}
