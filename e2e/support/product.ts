/** Starts the product as its own process on free ports, and stops or kills it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILE_CACHE, NODE_FLAGS } from '@/server/cli/process'
import { endWithUs } from '@/server/testing/end-with-us'

export interface Product {
  /** The address of the console, `http://127.0.0.1:<port>`; empty when only the API server runs. */
  url: string
  dataDir: string
  kubeconfig: string
  pid: number
  /** All output so far. */
  output(): string
  /** The code that it ended with; undefined when a signal ended it. */
  ended: Promise<number | undefined>
  stop(): Promise<void>
  /** `kill -9`. The data directory stays. */
  kill(): Promise<void>
}

export interface StartOptions {
  dataDir?: string
  flags?: readonly string[]
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string>>
}

const ready = /^evenkeel is ready(?:: (\S+))?$/m
/** A product that is not ready after this time hangs: even on a machine with ten times its load, a start is shorter. */
const READY_WITHIN_MS = 180_000

const launched: { dataDir: string; child: ChildProcess; output: () => string }[] = []

/** Resolves when the product is ready; rejects with its output when it exits before, or hangs. */
export async function startProduct({
  dataDir = newDataDir(),
  flags = [],
  env = {},
}: StartOptions = {}): Promise<Product> {
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, 'dist/main.js', '--port=0', '--api-port=0', `--data-dir=${dataDir}`, ...flags],
    { env: { ...process.env, NODE_ENV: 'production', KUBECONFIG: '', LC_ALL: 'C', ...COMPILE_CACHE, ...env } },
  )
  endWithUs(child)
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  launched.push({ dataDir, child, output: () => output })
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the product was not ready within ${READY_WITHIN_MS / 1000} s:\n${output}`))
    }, READY_WITHIN_MS)
    child.stdout.on('data', () => {
      const found = ready.exec(output)
      if (!found) return
      clearTimeout(timer)
      resolve(found[1] ?? '')
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the product ended with code ${code}:\n${output}`))
    })
  })
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('exit', (code) => resolve(code ?? undefined))
  })
  return {
    ended,
    url,
    dataDir,
    kubeconfig: join(dataDir, 'kubeconfig'),
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  }
}

/**
 * Stops processes that were started since the last call and still run, as after a failed test, removes their data, and
 * resolves with their outputs.
 */
export async function clearAway(): Promise<string[]> {
  const all = launched.splice(0)
  for (const { child } of all) await end(child, 'SIGKILL')
  for (const { dataDir } of all) removeDataDir(dataDir)
  return all.map(({ output }) => output())
}

/** An empty data directory of its own. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'evenkeel-'))
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  child.kill(signal)
  // A process that a test stopped by a signal would not react to it.
  child.kill('SIGCONT')
  await gone
}
