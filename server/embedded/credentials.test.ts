import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mountedKeyPair } from './credentials'

test('a mounted Secret provides certificate and key, and an incomplete one is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mounted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'tls.crt'), 'the certificate')
  expect(() => mountedKeyPair(folder)).toThrow(join(folder, 'tls.key'))
  writeFileSync(join(folder, 'tls.key'), 'the key')
  expect(mountedKeyPair(folder)).toEqual({ cert: 'the certificate', key: 'the key' })
})
