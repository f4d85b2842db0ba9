import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { newDataDir, removeDataDir, startProduct } from './support/product'

test('a damaged data file is refused in a sentence and left as it was', async () => {
  const dataDir = newDataDir()
  const file = join(dataDir, 'evenkeel.db')
  writeFileSync(file, "this is not a database, but it is somebody's data ".repeat(200))
  const before = readFileSync(file)
  await expect(startProduct({ dataDir })).rejects.toThrow(/cannot be read .*left untouched/)
  expect(readFileSync(file).equals(before)).toBe(true)
  removeDataDir(dataDir)
})

test('a data file of a newer version is refused in a sentence and left as it was', async () => {
  const dataDir = newDataDir()
  const first = await startProduct({ dataDir, flags: ['--no-demo', '--only=apiserver'] })
  await first.stop()
  const file = join(dataDir, 'evenkeel.db')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 9999')
  database.close()
  const before = readFileSync(file)
  await expect(startProduct({ dataDir })).rejects.toThrow(/start the newer version/)
  expect(readFileSync(file).equals(before)).toBe(true)
  removeDataDir(dataDir)
})

test('a port that is taken and a flag that does not exist are named', async () => {
  const dataDir = newDataDir()
  const running = await startProduct({ dataDir, flags: ['--no-demo'] })
  try {
    await expect(startProduct({ flags: ['--no-demo', `--port=${new URL(running.url).port}`] })).rejects.toThrow(
      `Port ${new URL(running.url).port} of 127.0.0.1 is in use`,
    )
    await expect(startProduct({ flags: ['--colour'] })).rejects.toThrow(/--colour/)
  } finally {
    await running.stop()
    removeDataDir(dataDir)
  }
})
