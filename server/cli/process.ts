/** Child processes of the commands. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export interface Outcome {
  code: number
  output: string
  /** Printed beside the name of a passed check. */
  note?: string
}

/** Environment of a Node that keeps compiled code from one start to the next. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: resolve('dist/compile-cache') }

/**
 * Options of a Node that runs the server. Its reports of fatal errors contain no secrets (`server/runtime/crash-watch.ts`).
 * Source maps are off: Node loads them when a stack is first read, which takes 200 MB. The bundle keeps function names.
 * The heap is collected before it has grown by half: V8 plans half a second for marking whatever has become garbage, and
 * where that is too much for its threads, it marks between any two allocations, up to 270 ms for each collection.
 */
export const NODE_FLAGS = ['--report-exclude-env', '--report-exclude-network', '--heap-growing-percent=50']

/** Runs a program with our streams; returns its exit code. Signals that end this process end it, too. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward)
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => settle(code ?? 1))
  })
}

/** Runs a program; returns its exit code and output. */
export function capture(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, shell: process.platform === 'win32' })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', (code) => settle({ code: code ?? 1, output }))
  })
}

/** The path of a program that a dependency installs. */
export function bin(name: string): string {
  return `node_modules/.bin/${name}${process.platform === 'win32' ? '.cmd' : ''}`
}
