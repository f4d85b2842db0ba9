/**
 * Seals texts that only this console can read and that cannot be forged, for storage in browsers and the shared store.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sealData, unsealData } from 'iron-session'

/** A text sealed for one purpose cannot be opened for another. */
type Purpose = 'session' | 'oidc-login' | 'oidc-session' | 'token'

export interface Sealer {
  seal(purpose: Purpose, value: unknown): Promise<string>
  /**
   * Opens a sealed text; undefined when it was forged, truncated, sealed for another purpose, or sealed with an unknown
   * secret.
   */
  open<T>(purpose: Purpose, text: string): Promise<T | undefined>
}

export const MIN_SECRET_LENGTH = 32
/** Shorter texts grow when compressed. */
const COMPRESS_FROM = 1024
/** Longer texts are not our seals and are not decrypted. */
const MAX_SEAL_LENGTH = 64 * 1024

interface Sealed {
  purpose: Purpose
  /** JSON, or compressed JSON in base64. */
  json?: string
  packed?: string
}

/**
 * Seals with iron-session: encrypted and authenticated. The first secret seals, all of them open, so that a secret can
 * be replaced without invalidating older seals. Expiry times are in the sealed value and are checked by the reader.
 * Throws for a secret of less than 32 characters, and without any secret.
 */
export function createSealer(secrets: readonly string[]): Sealer {
  const [newest] = secrets
  if (newest === undefined || secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    throw new Error(`a session secret must have ${MIN_SECRET_LENGTH} characters or more`)
  }
  return {
    seal: (purpose, value) => sealData(packed(purpose, JSON.stringify(value)), { password: newest, ttl: 0 }),
    open: async <T>(purpose: Purpose, text: string) => {
      const sealed = isCanonical(text) ? await openWithAny(secrets, text) : undefined
      return sealed?.purpose === purpose ? (JSON.parse(unpacked(sealed)) as T) : undefined
    },
  }
}

/**
 * `Fe26.2*…*<salt>*<HMAC>~2` as iron writes it. Decoders ignore trailing text, but one seal must have exactly one text.
 */
const SEAL = /^Fe26\.2\*[0-9]*\*[0-9a-f]{64}\*[\w-]+\*[\w-]+\*[0-9]*\*[0-9a-f]{64}\*([\w-]{43})~2$/

function isCanonical(text: string): boolean {
  const digest = text.length > MAX_SEAL_LENGTH ? undefined : SEAL.exec(text)?.[1]
  return digest !== undefined && Buffer.from(digest, 'base64url').toString('base64url') === digest
}

async function openWithAny(secrets: readonly string[], text: string): Promise<Sealed | undefined> {
  for (const password of secrets) {
    const sealed: Partial<Sealed> = await unsealData(text, { password, ttl: 0 })
    if (sealed.purpose !== undefined) return sealed as Sealed
  }
  return undefined
}

function packed(purpose: Purpose, json: string): Sealed {
  return json.length < COMPRESS_FROM ? { purpose, json } : { purpose, packed: deflateRawSync(json).toString('base64') }
}

function unpacked({ json, packed: compressed = '' }: Sealed): string {
  return json ?? inflateRawSync(Buffer.from(compressed, 'base64')).toString()
}
