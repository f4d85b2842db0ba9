/** Certificate requests for tests. */
import { EC, load } from '../tls/certificates'

/** A request of a subject such as `CN=carl, O=dev` (PEM in base64, as `spec.request` has it), and its key (PEM). */
export async function certificateRequest(subject: string): Promise<{ request: string; key: string }> {
  const x509 = await load()
  const keys = (await crypto.subtle.generateKey(EC, true, ['sign', 'verify'])) as CryptoKeyPair
  const made = await x509.Pkcs10CertificateRequestGenerator.create({ name: subject, keys, signingAlgorithm: EC })
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { request: Buffer.from(made.toString('pem')).toString('base64'), key }
}
