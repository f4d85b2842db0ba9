/** The processes of the benches of the stream and of rights, built as the product is built. */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildProgram } from '../build-program'

const SOURCES = {
  plane: fileURLToPath(new URL('./plane.ts', import.meta.url)),
  serve: fileURLToPath(new URL('./serve.ts', import.meta.url)),
  clients: fileURLToPath(new URL('./clients.ts', import.meta.url)),
  accessPlane: fileURLToPath(new URL('../access/plane.ts', import.meta.url)),
  accessServe: fileURLToPath(new URL('../access/serve.ts', import.meta.url)),
  accessUsers: fileURLToPath(new URL('../access/users.ts', import.meta.url)),
}

type Part = keyof typeof SOURCES

/** Starts a part with one argument; resolves with its first message. */
export type Start = <T>(part: Part, argument: string) => Promise<{ child: ChildProcess; told: T }>

/** `work` starts its parts; all are stopped and removed afterwards. */
export async function withPrograms<T>(parts: readonly Part[], work: (start: Start) => Promise<T>): Promise<T> {
  const children: ChildProcess[] = []
  const files = new Map<Part, string>()
  try {
    for (const part of parts) {
      files.set(part, await buildProgram(SOURCES[part], `stream-${part}`))
    }
    return await work(async <T>(part: Part, argument: string) => {
      const child = fork(files.get(part) as string, [argument], {
        execArgv: ['--max-old-space-size=4096'],
        serialization: 'advanced',
      })
      children.push(child)
      return { child, told: await reply<T>(child) }
    })
  } finally {
    for (const child of children) child.kill('SIGKILL')
    for (const file of files.values()) rmSync(file, { force: true })
  }
}

/** Sends a request to a running part. */
export function ask<T>(child: ChildProcess, question: string | number | object): Promise<T> {
  const answer = reply<T>(child)
  child.send(question)
  return answer
}

function reply<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`a process of the bench ended with ${code}`))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message as T)
    })
  })
}
