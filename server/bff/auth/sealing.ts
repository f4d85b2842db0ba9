/** Texts that only this console can read and that cannot be forged: what browsers and the shared store keep for it. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sealData, unsealData } from 'iron-session'

/** What is sealed for one purpose opens for no other. */
type Purpose = 'session' | 'oidc-login' | 'oidc-session' | 'token'

export interface Sealer {
  seal(purpose: Purpose, value: unknown): Promise<string>
  /** Undefined for what was forged, cut off, made for another purpose, or sealed with a password that is not in use. */
  open<T>(purpose: Purpose, text: string): Promise<T | undefined>
}

export const SHORTEST_SECRET = 32
/** Shorter texts grow by compression. */
const COMPRESS_FROM = 1024
/** Longer ones are no seal of ours; nothing is decrypted for them. */
const LONGEST_SEAL = 64 * 1024

interface Sealed {
  purpose: Purpose
  /** JSON, or compressed JSON in base64. */
  json?: string
  packed?: string
}

/**
 * Seals with iron-session: encrypted and authenticated. The first secret seals, all of them open, so that one can be
 * replaced without ending what the other sealed. Times stand in what is sealed and are checked by who reads it. Throws
 * for a secret of less than 32 characters, and for none.
 */
export function createSealer(secrets: readonly string[]): Sealer {
  const [newest] = secrets
  if (newest === undefined || secrets.some((secret) => secret.length < SHORTEST_SECRET)) {
    throw new Error(`a session secret must have ${SHORTEST_SECRET} characters or more`)
  }
  return {
    seal: (purpose, value) => sealData(packed(purpose, JSON.stringify(value)), { password: newest, ttl: 0 }),
    open: async <T>(purpose: Purpose, text: string) => {
      const sealed = isCanonical(text) ? await openWithAny(secrets, text) : undefined
      return sealed?.purpose === purpose ? (JSON.parse(unpacked(sealed)) as T) : undefined
    },
  }
}

/** `Fe26.2*…*<salt>*<HMAC>~2` as iron writes it: decoders pass over what follows, and one seal must have one text. */
const SEAL = /^Fe26\.2\*[0-9]*\*[0-9a-f]{64}\*[\w-]+\*[\w-]+\*[0-9]*\*[0-9a-f]{64}\*([\w-]{43})~2$/

function isCanonical(text: string): boolean {
  const digest = text.length > LONGEST_SEAL ? undefined : SEAL.exec(text)?.[1]
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
