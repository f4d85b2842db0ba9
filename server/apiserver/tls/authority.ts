/** A self-signed authority, and client certificates of users. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { EpochMs } from '@/lib/std/clock'
import { objectId, octets, sequence, set, text, yes } from './der'
import { certificateOf, type KeyPair, nameOf, pemOf } from './self-signed'

const AUTHORITY = 'evenkeel-clients'
const TEN_YEARS = 3650

/** A new authority for client certificates, valid for ten years. */
export function newAuthority(now: EpochMs): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = nameOf(AUTHORITY)
  const extensions = [sequence(objectId('2.5.29.19'), yes(), octets(sequence(yes())))]
  const cert = certificateOf({
    subject: name,
    issuer: name,
    publicKey,
    signer: privateKey,
    now,
    days: TEN_YEARS,
    extensions,
  })
  return { key: pemOf(privateKey), cert }
}

/** Who a certificate is for. */
export interface ClientIdentity {
  user: string
  groups: readonly string[]
  now: EpochMs
  days: number
}

/** A key and a certificate by which the server knows the user: common name and organizations. */
export function issueClientCertificate(authority: KeyPair, { user, groups, now, days }: ClientIdentity): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const organizations = groups.map((group) => set(sequence(objectId('2.5.4.10'), text(group))))
  const subject = sequence(...organizations, set(sequence(objectId('2.5.4.3'), text(user))))
  const extensions = [sequence(objectId('2.5.29.37'), octets(sequence(objectId('1.3.6.1.5.5.7.3.2'))))]
  const signer = createPrivateKey(authority.key)
  const cert = certificateOf({ subject, issuer: nameOf(AUTHORITY), publicKey, signer, now, days, extensions })
  return { key: pemOf(privateKey), cert }
}
