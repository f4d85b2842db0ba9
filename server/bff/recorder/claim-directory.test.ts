import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimDirectory } from './claim-directory'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'claim-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function claim(directory: string, purpose: 'journal' | 'audit' = 'journal') {
  const claimed = await claimDirectory(directory, purpose)
  onTestFinished(claimed.release)
  return claimed
}

test('each instance gets a directory of its own, and a released directory is claimed again', async () => {
  const directory = newDirectory()
  const [first, second, third] = [await claim(directory), await claim(directory), await claim(directory)]
  expect([first.path, second.path, third.path]).toEqual([
    directory,
    join(directory, 'instance-2'),
    join(directory, 'instance-3'),
  ])
  second.release()
  expect((await claim(directory)).path).toBe(second.path)
})

test('files of two purposes may lie in one directory', async () => {
  const directory = newDirectory()
  expect((await claim(directory, 'journal')).path).toBe(directory)
  expect((await claim(directory, 'audit')).path).toBe(directory)
})

test('a place is free as soon as its process was killed', async () => {
  const directory = newDirectory()
  const script = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(directory, '.journal.lock'))}).exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['-e', script])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect((await claim(directory)).path).toBe(join(directory, 'instance-2'))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect((await claim(directory)).path).toBe(directory)
})

test('a directory that cannot be used is an error, not the next one', async () => {
  const directory = newDirectory()
  writeFileSync(join(directory, 'file'), '')
  await expect(claimDirectory(join(directory, 'file', 'journal'), 'journal')).rejects.toThrow(/ENOTDIR/)
  writeFileSync(
    join(directory, '.journal.lock'),
    'no database at all, and long enough to be looked at as one'.repeat(20),
  )
  await expect(claimDirectory(directory, 'journal')).rejects.toThrow(/not a database/)
})
