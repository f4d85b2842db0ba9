/** A certificate request (PKCS #10): who asks for which names. */
import { createPublicKey, verify } from 'node:crypto'
import { ownField } from '@/lib/std/fields'
import { type Der, DerUnreadable, idOf, partsOf, textOf, valuesIn } from './der'

/** Content of a certificate signing request. */
export interface CertificateRequest {
  raw: Buffer
  commonName: string
  organizations: readonly string[]
  /** Alternative names, by type. */
  names: { dns: number; ip: number; email: number; uri: number }
}

const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'
const EXTENSION_REQUEST = '2a864886f70d01090e'
const ALTERNATIVE_NAMES = '551d11'
const ATTRIBUTES = 0xa0
const SET = 0x31

/** Hashes of signature algorithms; null if the key determines it. */
const HASHES: Readonly<Record<string, string | null>> = {
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
}

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/

/**
 * Reads the request of a CertificateSigningRequest, in base64, and checks its signature. Throws with the reason for an
 * invalid one.
 */
export function readRequest(encoded: string): CertificateRequest {
  const [, type, body = ''] = PEM.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  if (type !== 'CERTIFICATE REQUEST') throw new DerUnreadable('PEM block type must be CERTIFICATE REQUEST')
  const raw = Buffer.from(body, 'base64')
  const [whole, ...rest] = valuesIn(raw)
  const [signed, algorithm, signature] = partsOf(whole)
  if (rest.length > 0 || !signed || !signature) throw new DerUnreadable('asn1: syntax error: trailing data')
  const [, subject, key, ...others] = partsOf(signed)
  checkSignature({ signed, key, algorithm, signature })
  return { raw, ...subjectOf(subject), names: namesIn(others.find(({ tag }) => tag === ATTRIBUTES)) }
}

interface Signed {
  signed: Der
  key: Der | undefined
  algorithm: Der | undefined
  signature: Der
}

function checkSignature({ signed, key, algorithm, signature }: Signed): void {
  const id = idOf(partsOf(algorithm)[0])
  const hash = ownField(HASHES, id)
  if (hash === undefined) throw new DerUnreadable('x509: cannot verify signature: algorithm unimplemented')
  // The first byte of a bit string counts its unused bits.
  if (!isSigned(hash, { signed, key, signature: signature.content.subarray(1) }))
    throw new DerUnreadable('x509: signature does not match')
}

function isSigned(
  hash: string | null,
  { signed, key, signature }: { signed: Der; key: Der | undefined; signature: Buffer },
): boolean {
  try {
    const publicKey = createPublicKey({ key: key?.whole ?? Buffer.alloc(0), format: 'der', type: 'spki' })
    return verify(hash, signed.whole, publicKey, signature)
  } catch {
    return false
  }
}

function subjectOf(subject: Der | undefined): Pick<CertificateRequest, 'commonName' | 'organizations'> {
  const attributes = partsOf(subject).flatMap((set) => partsOf(set, SET).map((pair) => partsOf(pair)))
  const texts = (id: string): string[] =>
    attributes.filter(([type]) => idOf(type) === id).map(([, value]) => (value ? textOf(value) : ''))
  return { commonName: texts(COMMON_NAME).at(-1) ?? '', organizations: texts(ORGANIZATION) }
}

/** Tags of alternative names. */
const NAMES = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 }

function namesIn(attributes: Der | undefined): CertificateRequest['names'] {
  const tags = attributes ? alternativeNames(attributes).map(({ tag }) => tag) : []
  const count = (wanted: number): number => tags.filter((tag) => tag === wanted).length
  return { dns: count(NAMES.dns), ip: count(NAMES.ip), email: count(NAMES.email), uri: count(NAMES.uri) }
}

function alternativeNames(attributes: Der): Der[] {
  const wanted = valuesIn(attributes.content).map((attribute) => partsOf(attribute))
  const extensions = wanted
    .filter(([type]) => idOf(type) === EXTENSION_REQUEST)
    .flatMap(([, values]) => partsOf(values, SET).flatMap((list) => partsOf(list)))
    .map((extension) => partsOf(extension))
  return extensions
    .filter(([type]) => idOf(type) === ALTERNATIVE_NAMES)
    .flatMap((extension) => valuesIn(extension.at(-1)?.content ?? Buffer.alloc(0)).flatMap((names) => partsOf(names)))
}
