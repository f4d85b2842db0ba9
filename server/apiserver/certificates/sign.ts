/** Makes a certificate of a request, signed by an authority. */
import { X509Certificate } from 'node:crypto'
import type * as x509 from '@peculiar/x509'
import type { EpochMs } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'
import { EC, type KeyPair, load, privateKeyOf } from '../tls/certificates'

interface SigningRequest {
  /** DER. */
  request: Buffer
  usages: readonly string[]
  seconds: number
  now: EpochMs
}

const BACKDATE_MS = 5 * 60_000
/** A certificate that is valid for less is not shortened by the backdate. */
const SHORT_SECONDS = 8 * 3600

/** The certificate (PEM). It ends with its authority at the latest. */
export async function signRequest(
  authority: KeyPair,
  { request, usages, seconds, now }: SigningRequest,
): Promise<string> {
  const library = await load()
  const asked = new library.Pkcs10CertificateRequest(new Uint8Array(request))
  const issuer = new library.X509Certificate(authority.cert)
  const end = now + seconds * 1000 - (seconds < SHORT_SECONDS ? 0 : BACKDATE_MS)
  const certificate = await library.X509CertificateGenerator.create({
    subject: asked.subjectName,
    issuer: issuer.subjectName,
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(Math.min(end, issuer.notAfter.getTime())),
    publicKey: asked.publicKey,
    signingKey: await privateKeyOf(library, authority),
    signingAlgorithm: EC,
    extensions: extensionsOf(library, asked, usages),
  })
  return new X509Certificate(Buffer.from(certificate.rawData)).toString()
}

/** The groups that a certificate (PEM) authenticates as. */
export function organizationsOf(certificate: string): string[] {
  const { O: groups = [] } = new X509Certificate(certificate).toLegacyObject().subject as { O?: string | string[] }
  return [groups].flat()
}

/** Of the request only its alternative names count. */
function extensionsOf(
  library: typeof x509,
  asked: x509.Pkcs10CertificateRequest,
  usages: readonly string[],
): x509.Extension[] {
  const names = asked.extensions.filter((extension) => extension instanceof library.SubjectAlternativeNameExtension)
  const flags = usages.reduce((sum, usage) => sum | (ownField(KEY_USAGES, usage) ?? 0), 0)
  const purposes = [...new Set(usages.flatMap((usage) => ownField(PURPOSES, usage) ?? []))]
  return [
    ...(flags === 0 ? [] : [new library.KeyUsagesExtension(flags, true)]),
    ...(purposes.length === 0 ? [] : [new library.ExtendedKeyUsageExtension(purposes)]),
    new library.BasicConstraintsExtension(false, undefined, true),
    ...names.map(({ value }) => new library.Extension(SUBJECT_ALTERNATIVE_NAME, false, value)),
  ]
}

const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'

const KEY_USAGES: Readonly<Record<string, number>> = {
  signing: 1,
  'digital signature': 1,
  'content commitment': 2,
  'key encipherment': 4,
  'data encipherment': 8,
  'key agreement': 16,
  'cert sign': 32,
  'crl sign': 64,
  'encipher only': 128,
  'decipher only': 256,
}

const PURPOSES: Readonly<Record<string, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
}
