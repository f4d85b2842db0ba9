/** Warnings about the certificate and the key of a Secret that do not belong together. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Secret } from '@/lib/kube/kinds'
import { decodeBase64 } from '@/lib/std/base64'
import { ownField } from '@/lib/std/fields'

export function keyPairWarnings({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return []
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => decodeBase64(ownField(data, name) ?? '') ?? '')
  const problem = problemOf(certificate as string, key as string)
  return problem === undefined ? [] : [problem]
}

const BLOCK = /-----BEGIN ([^-\n]+)-----/g
const KEY = /(^| )PRIVATE KEY$/

const typesIn = (pem: string): string[] => [...pem.matchAll(BLOCK)].map(([, type = '']) => type)

function problemOf(certificate: string, key: string): string | undefined {
  const [ofCertificate, ofKey] = [typesIn(certificate), typesIn(key)]
  if (ofCertificate.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (!ofCertificate.includes('CERTIFICATE'))
    return ofCertificate.length === 1 && KEY.test(ofCertificate[0] ?? '')
      ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
      : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${ofCertificate.join(' ')}]`
  if (ofKey.length === 0) return 'tls: failed to find any PEM data in key input'
  if (!ofKey.some((type) => KEY.test(type)))
    return ofKey.length === 1 && ofKey[0] === 'CERTIFICATE'
      ? 'tls: found a certificate rather than a key in the PEM for the private key'
      : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${ofKey.join(' ')}]`
  return mismatchOf(certificate, key)
}

function mismatchOf(certificate: string, key: string): string | undefined {
  const read = attempt(() => new X509Certificate(certificate))
  if (!read) return 'x509: malformed certificate'
  const secret = attempt(() => createPrivateKey(key))
  if (!secret) return 'tls: failed to parse private key'
  if (read.checkPrivateKey(secret)) return undefined
  return read.publicKey.asymmetricKeyType === secret.asymmetricKeyType
    ? 'tls: private key does not match public key'
    : 'tls: private key type does not match public key type'
}

/** Undefined where the input is unreadable, which is what is asked. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
