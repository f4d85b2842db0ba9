/** A real redis-server for one test: started on a free port, frozen, killed and brought back at will. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithUs } from './end-with-us'
import { freePort } from './free-port'

const PROGRAM = 'redis-server'

/** False where there is no redis-server; `npm test` installs one where it can. */
export const redisInstalled = spawnSync(PROGRAM, ['--version']).status === 0
export const NO_REDIS =
  'redis-server is not on the PATH: install it (Debian: apt-get install redis-server) to run these'

export class RedisServer {
  readonly #flags: readonly string[]
  readonly #directory = mkdtempSync(join(tmpdir(), 'redis-'))
  #child: ChildProcess | undefined
  #port = 0

  /** `flags` as on the command line of redis-server: `['--requirepass', 'secret']`. */
  constructor(flags: readonly string[] = []) {
    this.#flags = flags
  }

  get port(): number {
    return this.#port
  }
  get url(): string {
    return `redis://127.0.0.1:${this.#port}`
  }

  /** Resolves when it answers. Again after `kill`: empty, on the same port. */
  async start(): Promise<this> {
    this.#port ||= await freePort()
    const child = spawn(PROGRAM, [
      '--port',
      `${this.#port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      this.#directory,
      ...this.#flags,
    ])
    endWithUs(child)
    this.#child = child
    let output = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('Ready to accept connections')) resolve()
      })
      child.on('error', reject)
      child.on('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)))
    })
    return this
  }

  /** From now on it accepts connections and never answers. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Kills the server; its data is lost, because nothing is saved. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
