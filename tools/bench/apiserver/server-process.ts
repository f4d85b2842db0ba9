/** Starts the server of a bench, reads its usage, and stops it in order or with `kill -9`. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../build-program'
import type { Ready, Usage } from './serve'

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url))

/** Builds the server; `work` gets the program's path. */
export async function withServerProgram<T>(work: (program: string) => Promise<T>): Promise<T> {
  const program = await buildProgram(SERVE, 'server')
  try {
    return await work(program)
  } finally {
    rmSync(program)
  }
}

export interface ServerProcess {
  ready: Ready
  /** From the start of the process until it served, in milliseconds. */
  startMilliseconds: number
  usage(): Promise<Usage>
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
}

/** Starts the program on a data file. Rejects when it ends before it serves. */
export async function startServerProcess(program: string, file: string): Promise<ServerProcess> {
  const start = performance.now()
  const child = fork(program, [file], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ready = await reply<Ready>(child)
  return {
    ready,
    startMilliseconds: performance.now() - start,
    usage: () => {
      child.send('usage')
      return reply<Usage>(child)
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

function reply<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`the server ended with ${code}`))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message as T)
    })
  })
}
