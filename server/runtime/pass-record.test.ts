import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ObjectKey } from '@/lib/kube/object'
import { openPassRecord } from './pass-record'

const KEY = 'default/web' as ObjectKey

test('a record that is closed writes nothing, whatever file has its number by then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-record-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const record = openPassRecord(folder)
  const end = record.begin('binding', KEY, { alone: false })
  record.close()
  const other = join(folder, 'other')
  const file = openSync(other, 'w')
  onTestFinished(() => closeSync(file))
  end()
  record.begin('binding', KEY, { alone: false })()
  record.begin('binding', KEY, { alone: true })()
  expect(readFileSync(other)).toHaveLength(0)
})
