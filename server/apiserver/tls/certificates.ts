/** Self-signed certificates of servers, and client certificates of users. */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type * as x509 from '@peculiar/x509'
import type { EpochMs } from '@/lib/std/clock'

/** A private key and the certificate over its public half, both PEM. */
export interface KeyPair {
  key: string
  cert: string
}

/** Until when a certificate is valid; it begins a day before `now`, for clocks that are slow. */
interface Validity {
  now: EpochMs
  days: number
}

type Library = typeof x509

interface Signed extends Validity {
  subject: x509.JsonNameParams
  extensions: (library: Library) => x509.Extension[]
  /** Default: the certificate signs itself. */
  authority?: KeyPair
}

export const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const TEN_YEARS = 3650

/** Makes a key pair for the given host names and addresses, so that kubectl and others trust this server. */
export function selfSigned({
  hosts,
  days = TEN_YEARS,
  now,
}: Partial<Validity> & { hosts: readonly string[]; now: EpochMs }): Promise<KeyPair> {
  return certify({
    subject: commonName('evenkeel'),
    now,
    days,
    extensions: ({
      BasicConstraintsExtension,
      ExtendedKeyUsage,
      ExtendedKeyUsageExtension,
      SubjectAlternativeNameExtension,
    }) => [
      new BasicConstraintsExtension(true, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  })
}

/** Makes an authority, by default for client certificates, valid for ten years. */
export function newAuthority(now: EpochMs, name = 'evenkeel-clients'): Promise<KeyPair> {
  return certify({
    subject: commonName(name),
    now,
    days: TEN_YEARS,
    extensions: ({ BasicConstraintsExtension }) => [new BasicConstraintsExtension(true, undefined, true)],
  })
}

/** Who a certificate is for. */
export interface ClientIdentity extends Validity {
  user: string
  groups: readonly string[]
}

/** Makes a key and a certificate by which the server knows the user: common name and organizations. */
export function issueClientCertificate(
  authority: KeyPair,
  { user, groups, ...validity }: ClientIdentity,
): Promise<KeyPair> {
  return certify({
    ...validity,
    authority,
    subject: [...groups.map((group) => ({ O: [{ utf8String: group }] })), ...commonName(user)],
    extensions: ({ ExtendedKeyUsage, ExtendedKeyUsageExtension }) => [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
    ],
  })
}

/** Uses JSON names, because the library interprets `#` and backslashes in strings. */
const commonName = (name: string): x509.JsonNameParams => [{ CN: [{ utf8String: name }] }]

async function certify({ subject, now, days, extensions, authority }: Signed): Promise<KeyPair> {
  const library = await load()
  const name = new library.Name(subject)
  const { publicKey, privateKey } = await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const key = library.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
  const certificate = await library.X509CertificateGenerator.create({
    subject: name,
    issuer: authority ? new library.X509Certificate(authority.cert).subjectName : name,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
    publicKey,
    signingKey: authority ? await privateKeyOf(library, authority) : privateKey,
    signingAlgorithm: EC,
    extensions: extensions(library),
  })
  return { key, cert: new X509Certificate(Buffer.from(certificate.rawData)).toString() }
}

/** The private key of a pair. */
export function privateKeyOf({ PemConverter }: Library, { key }: KeyPair): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(key), EC, false, ['sign'])
}

/** Loaded only when a certificate is made: that is rare, and loading takes a good tenth of a second. */
export async function load(): Promise<Library> {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}
