import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueClientCertificate, newAuthority, selfSigned } from './certificates'

const NOW = Date.UTC(2026, 0, 1)

test('makes a certificate that vouches for the given hosts, and no others, for its time', async () => {
  const certificate = new X509Certificate(
    (await selfSigned({ hosts: ['127.0.0.1', '::1', 'fe80::1:2', 'localhost'], now: NOW, days: 10 })).cert,
  )
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2']) expect(certificate.checkIP(address)).toBe(address)
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(true)
  expect(Date.parse(certificate.validTo)).toBe(NOW + 10 * 86_400_000)
})

test('never makes the same serial number twice', async () => {
  const pairs = await Promise.all(Array.from({ length: 20 }, () => selfSigned({ hosts: ['localhost'], now: NOW })))
  const serials = pairs.map(({ cert }) => new X509Certificate(cert).serialNumber)
  expect(new Set(serials).size).toBe(20)
})

test('names user and groups as they are given', async () => {
  const authority = await newAuthority(NOW)
  const [user, groups] = ['#1 \\ "ü"', ['a, O=b', '#00']]
  const { cert } = await issueClientCertificate(authority, { user, groups, now: NOW, days: 1 })
  const certificate = new X509Certificate(cert)
  expect(certificate.toLegacyObject().subject).toEqual({ CN: user, O: groups })
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true)
  expect(certificate.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
})
