/** Real processes that die while they reconcile a suspect: what the next start makes of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { endWithUs } from '@/server/testing/end-with-us'
import { openPassRecord } from './pass-record'

const MODULE = fileURLToPath(new URL('./pass-record.ts', import.meta.url))
const POLL = { timeout: 60_000 }
const TIMEOUT = 120_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'suspects.json'), '{"loop:a/x":1}')
})

/** Each is run while the suspect is being reconciled. */
const BEHAVIOUR = {
  throws: `throw new Error('broken')`,
  rejects: `void Promise.reject(new Error('broken'))`,
  survives: `process.on('uncaughtException', () => undefined); throw new Error('handled')`,
  exits: `process.exit(1)`,
  fillsHeap: `for (const all = []; ; ) all.push(new Array(1000).fill(0).map(() => ({})))`,
  loops: `for (;;);`,
  loopsForAWhile: `while (!fs.existsSync('continue'));`,
  waits: ``,
}

interface StartOptions {
  flags?: string[]
  /** Bytes; 0: no limit is known. */
  memoryLimit?: number
}

function start(behaviour: keyof typeof BEHAVIOUR, { flags = [], memoryLimit = 0 }: StartOptions = {}): ChildProcess {
  const program = `
    import fs from 'node:fs'
    const { openPassRecord } = await import(${JSON.stringify(MODULE)})
    process.chdir(${JSON.stringify(folder)})
    openPassRecord('.', { memoryLimit: ${memoryLimit} }).begin('loop', 'a/x', { alone: true })
    setInterval(() => undefined, 60_000)
    setImmediate(() => { ${BEHAVIOUR[behaviour]} })`
  const child = spawn(process.execPath, [...flags, '--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: 'ignore',
    env: { ...process.env, PASSWORD: 'a secret' },
  })
  endWithUs(child)
  return child
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

/** The marks for an exception and for danger; undefined before the process has made any. */
function marks(): [exception: number | undefined, danger: number | undefined] {
  const path = join(folder, 'reconciling')
  const [exception, danger] = existsSync(path) ? readFileSync(path) : []
  return [exception, danger]
}
const NO_DANGER = 0x20
const MARKED = 1

/** Crashes that the next start counts. */
function crashes(): number {
  const record = openPassRecord(folder)
  onTestFinished(() => record.close())
  return record.crashesOf('loop', 'a/x')
}

test.each(['throws', 'rejects'] as const)(
  'a process that %s quarantines the suspect',
  { timeout: TIMEOUT },
  async (how) => {
    await ended(start(how))
    expect(crashes()).toBe(2)
  },
)

test('a process that exits on purpose, or handles its exception, does not', { timeout: TIMEOUT }, async () => {
  await ended(start('exits'))
  expect(crashes()).toBe(1)
  const child = start('survives')
  // Written as soon as the exception turned out to be handled.
  await expect.poll(() => marks()[0], POLL).toBe(NO_DANGER)
  await kill(child)
  expect(crashes()).toBe(1)
})

test('an exhausted heap does, without a trace of the environment', { timeout: TIMEOUT }, async () => {
  const flags = ['--max-old-space-size=64', '--report-exclude-env', '--report-exclude-network']
  await ended(start('fillsHeap', { flags }))
  const report = readFileSync(join(folder, 'fatal-error.json'), 'utf8')
  expect(report).toContain('heap out of memory')
  expect(report).not.toContain('a secret')
  expect(crashes()).toBe(2)
  expect(existsSync(join(folder, 'fatal-error.json'))).toBe(false)
})

test('no report is written by a Node whose report would contain the environment', { timeout: TIMEOUT }, async () => {
  await ended(start('fillsHeap', { flags: ['--max-old-space-size=64'] }))
  expect(existsSync(join(folder, 'fatal-error.json'))).toBe(false)
})

test('a process that is killed while it is blocked quarantines the suspect', { timeout: TIMEOUT }, async () => {
  const child = start('loops')
  await expect.poll(() => marks()[1], POLL).toBe(MARKED)
  await kill(child)
  expect(crashes()).toBe(2)
})

test('a process that is killed close to its memory limit quarantines the suspect', { timeout: TIMEOUT }, async () => {
  const child = start('waits', { memoryLimit: 1024 })
  await expect.poll(() => marks()[1], POLL).toBe(MARKED)
  await kill(child)
  expect(crashes()).toBe(2)
})

test('a process that is killed while its event loop runs quarantines no object', { timeout: TIMEOUT }, async () => {
  const child = start('waits')
  await expect.poll(() => marks()[1], POLL).toBe(NO_DANGER)
  await kill(child)
  expect(crashes()).toBe(1)
})

test(
  'a process that was blocked for a while and is killed later quarantines no object',
  { timeout: TIMEOUT },
  async () => {
    const child = start('loopsForAWhile')
    await expect.poll(() => marks()[1], POLL).toBe(MARKED)
    writeFileSync(join(folder, 'continue'), '')
    await expect.poll(() => marks()[1], POLL).toBe(NO_DANGER)
    await kill(child)
    expect(crashes()).toBe(1)
  },
)
