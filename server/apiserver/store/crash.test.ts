import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openSqliteStore } from './sqlite'

const WRITER = fileURLToPath(new URL('../testing/write-until-killed.ts', import.meta.url))
const ROUNDS = 4

test('loses no acknowledged write to kill -9, and repeats no revision', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'crash-'))
  const file = join(directory, 'data.db')
  const acknowledged = new Map<string, number>()
  let newest = 0
  for (let round = 0; round < ROUNDS; round++) {
    await writeUntilKilled(file, 150 + round * 60, acknowledged)
    const store = await openSqliteStore(file)
    for (const [writer, value] of acknowledged) {
      const stored = store.get({ keyspace: '', resource: 'configmaps', key: `n/w${writer}` })
      expect(Number((stored?.value.data as { k: string } | undefined)?.k)).toBeGreaterThanOrEqual(value)
    }
    expect(store.revision).toBeGreaterThan(newest)
    newest = store.revision
    await store.close()
  }
  rmSync(directory, { recursive: true })
}, 120_000)

/** Lets a child write, and kills it after so many acknowledged writes. */
function writeUntilKilled(file: string, writes: number, acknowledged: Map<string, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', WRITER, file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let pending = ''
    let seen = 0
    let complaints = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    child.stdout.on('data', (chunk: Buffer) => {
      pending += chunk.toString()
      const lines = pending.split('\n')
      pending = lines.pop() ?? ''
      for (const line of lines) {
        const [writer = '', value = ''] = line.split(' ')
        acknowledged.set(writer, Number(value))
        if (++seen === writes) child.kill('SIGKILL')
      }
    })
    child.on('exit', () => (seen >= writes ? resolve() : reject(new Error(complaints))))
  })
}
