import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed'

const NOW = Date.UTC(2026, 0, 1)

test('makes a certificate that vouches for the given hosts, and no others, for its time', () => {
  const certificate = new X509Certificate(
    selfSigned({ hosts: ['127.0.0.1', '::1', 'fe80::1:2', 'localhost'], now: NOW, days: 10 }).cert,
  )
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2']) expect(certificate.checkIP(address)).toBe(address)
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(true)
  expect(Date.parse(certificate.validTo)).toBe(NOW + 10 * 86_400_000)
})

test('never makes the same serial number twice', () => {
  const serials = Array.from(
    { length: 20 },
    () => new X509Certificate(selfSigned({ hosts: ['localhost'], now: NOW }).cert).serialNumber,
  )
  expect(new Set(serials).size).toBe(20)
})
