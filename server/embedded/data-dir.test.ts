import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDir } from './data-dir'

const modeOf = (path: string): number => statSync(path).mode & 0o777

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a directory that is there is for its owner only afterwards, with all that is in it, and this is said once', () => {
  const folder = aFolder()
  const [data, outside] = [join(folder, 'data'), join(folder, 'outside')]
  mkdirSync(join(data, 'journal'), { recursive: true, mode: 0o755 })
  for (const file of [join(data, 'evenkeel.db'), join(data, 'journal', 'a.jsonl'), outside]) writeFileSync(file, 'x')
  for (const path of [data, join(data, 'journal')]) chmodSync(path, 0o775)
  for (const path of [join(data, 'evenkeel.db'), join(data, 'journal', 'a.jsonl'), outside]) chmodSync(path, 0o664)
  symlinkSync(outside, join(data, 'link'))
  const told: object[] = []
  const log = { warn: (fields: object) => void told.push(fields) }
  makeDataDir(data, log)
  expect([data, join(data, 'journal')].map(modeOf)).toEqual([0o700, 0o700])
  expect([join(data, 'evenkeel.db'), join(data, 'journal', 'a.jsonl')].map(modeOf)).toEqual([0o600, 0o600])
  expect(modeOf(outside)).toBe(0o664)
  makeDataDir(data, log)
  expect(told).toEqual([{ dataDir: data, entries: 4 }])
})

test('a new directory is for its owner only, and one that cannot be made is named', () => {
  const folder = aFolder()
  const quiet = { warn: () => undefined }
  makeDataDir(join(folder, 'a', 'b'), quiet)
  expect(modeOf(join(folder, 'a', 'b'))).toBe(0o700)
  writeFileSync(join(folder, 'file'), 'x')
  expect(() => makeDataDir(join(folder, 'file', 'data'), quiet)).toThrow(
    /data directory .* cannot be made .*--data-dir/,
  )
})
