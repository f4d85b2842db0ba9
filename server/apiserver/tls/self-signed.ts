/**
 * A certificate of one's own: clients that refuse to send a token over plain HTTP, kubectl among them, trust this one.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import type { EpochMs } from '@/lib/std/clock'
import { bits, implicit, integer, objectId, octets, sequence, set, tagged, text, time, yes } from './der'

/** A private key and the certificate over its public half, both PEM. */
export interface KeyPair {
  key: string
  cert: string
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const DAY_MS = 86_400_000

/** Makes a key pair for the given host names and addresses, valid from a day ago for `days` days. */
export function selfSigned({
  hosts,
  now,
  days = 3650,
}: {
  hosts: readonly string[]
  now: EpochMs
  days?: number
}): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = nameOf('evenkeel')
  const cert = certificateOf({
    subject: name,
    issuer: name,
    publicKey,
    signer: privateKey,
    now,
    days,
    extensions: extensions(hosts),
  })
  return { key: pemOf(privateKey), cert }
}

/** A name of which only the common one is given. */
export function nameOf(common: string): Buffer {
  return sequence(set(sequence(objectId('2.5.4.3'), text(common))))
}

interface CertificateParts {
  subject: Buffer
  issuer: Buffer
  publicKey: KeyObject
  signer: KeyObject
  now: EpochMs
  days: number
  extensions: readonly Buffer[]
}

/** A certificate (PEM), valid from a day ago. */
export function certificateOf(parts: CertificateParts): string {
  const { subject, issuer, publicKey, signer, now, days } = parts
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(now - DAY_MS), time(now + days * DAY_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...parts.extensions)),
  )
  return certificatePem(sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, signer))))
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** It is its own authority, for serving only, under the given names. */
function extensions(hosts: readonly string[]): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) === 0 ? implicit(2, Buffer.from(host)) : implicit(7, addressBytes(host)),
  )
  return [
    sequence(objectId('2.5.29.19'), yes(), octets(sequence(yes()))),
    sequence(objectId('2.5.29.37'), octets(sequence(objectId('1.3.6.1.5.5.7.3.1')))),
    sequence(objectId('2.5.29.17'), octets(sequence(...names))),
  ]
}

/** The 4 or 16 bytes of an address. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const groups = (part = ''): number[] =>
    part
      .split(':')
      .filter((group) => group !== '')
      .map((group) => Number.parseInt(group, 16))
  const [head, tail] = address.split('::').map(groups) as [number[], number[] | undefined]
  const zeros = Array.from({ length: tail ? 8 - head.length - tail.length : 0 }, () => 0)
  return Buffer.from([...head, ...zeros, ...(tail ?? [])].flatMap((group) => [group >> 8, group & 0xff]))
}

/** A private key as PEM. */
export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function certificatePem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
