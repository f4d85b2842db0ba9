/**
 * Digests of collections: entities are assigned to buckets by their ID, and each bucket is the sum of the 64-bit hashes
 * of its entities. Comparing two digests finds the buckets that differ, independent of how each side got its content.
 * Not cryptographic: collisions are unlikely, but can be constructed.
 */

interface Entity {
  id: string
}

/** Two independently mixed 32-bit halves. */
interface Lanes {
  a: number
  b: number
}

/** Maximum number of buckets of a digest; 32 KiB. */
export const MAX_BUCKETS = 4096
const BYTES = 8
/**
 * Target number of entities per bucket: fewer make the digest larger, more make the answer to one difference larger.
 */
const PER_BUCKET = 4

/** Returns the number of buckets for a collection of that size: a power of two. */
export function bucketsFor(entities: number): number {
  let of = 1
  while (of < MAX_BUCKETS && of * PER_BUCKET < entities) of *= 2
  return of
}

/** Returns the bucket of an ID; `of` must be a power of two. */
export function bucketOf(id: string, of: number): number {
  const lanes = newLanes()
  mixText(lanes, id)
  return finished(lanes).a & (of - 1)
}

/** Returns the digest of a collection: `8 * of` bytes. Independent of the order of the entities and of their fields. */
export function digestOf(entities: Iterable<Entity>, of: number): Uint8Array {
  const sums = new Uint32Array(of * 2)
  for (const entity of entities) {
    const at = bucketOf(entity.id, of) * 2
    const { a, b } = hashOf(entity)
    sums[at] = (sums[at] ?? 0) + a
    sums[at + 1] = (sums[at + 1] ?? 0) + b
  }
  return toBytes(sums)
}

/** Reports whether the value is a possible digest with that many buckets. */
export function isDigest(bytes: unknown, of: number): bytes is Uint8Array {
  const isPower = Number.isInteger(of) && of >= 1 && of <= MAX_BUCKETS && (of & (of - 1)) === 0
  return isPower && bytes instanceof Uint8Array && bytes.length === of * BYTES
}

/** Returns the buckets in which two digests of the same size differ, in order. */
export function differingBuckets(a: Uint8Array, b: Uint8Array): number[] {
  const differing: number[] = []
  for (let bucket = 0; bucket * BYTES < a.length; bucket++) {
    const from = bucket * BYTES
    for (let at = from; at < from + BYTES; at++) {
      if (a[at] === b[at]) continue
      differing.push(bucket)
      break
    }
  }
  return differing
}

/** Returns what the other side lacks, given its digest: whole buckets that replace its own. */
export function missingFrom<T extends Entity>(
  entities: readonly T[],
  held: Uint8Array,
  own: Uint8Array = digestOf(entities, held.length / BYTES),
): { of: number; buckets: number[]; changed: T[] } {
  const of = held.length / BYTES
  const buckets = differingBuckets(held, own)
  const chosen = new Set(buckets)
  return { of, buckets, changed: buckets.length === 0 ? [] : entities.filter(({ id }) => chosen.has(bucketOf(id, of))) }
}

/** Little endian on every machine. */
function toBytes(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true)
  return bytes
}

const hashes = new WeakMap<object, Lanes>()

/** Cached by entity, because entities are immutable. */
function hashOf(entity: object): Lanes {
  const known = hashes.get(entity)
  if (known) return known
  const lanes = newLanes()
  mix(lanes, entity)
  const hash = finished(lanes)
  hashes.set(entity, hash)
  return hash
}

const newLanes = (): Lanes => ({ a: 0x9e3779b9, b: 0x85ebca6b })

/** Hashes a JSON value as it would be transmitted: what JSON omits counts as absent. */
function mix(lanes: Lanes, value: unknown): void {
  if (typeof value === 'string') return mixText(lanes, value)
  if (typeof value === 'number' && Number.isFinite(value)) return mixNumber(lanes, value)
  if (Array.isArray(value)) return mixList(lanes, value)
  if (typeof value === 'object' && value !== null) return mixFields(lanes, value as Record<string, unknown>)
  mixWord(lanes, value === true ? 3 : value === false ? 5 : 7)
}

/** Negative zero equals zero, as in JSON. */
function mixNumber(lanes: Lanes, value: number): void {
  mixWord(lanes, 17)
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) mixWord(lanes, value | 0)
  else mixText(lanes, String(value))
}

function mixList(lanes: Lanes, items: readonly unknown[]): void {
  mixWord(lanes, 11 + items.length)
  for (const item of items) mix(lanes, item)
}

/** Sums the hashes of the fields, so that their order does not matter. */
function mixFields(lanes: Lanes, fields: Record<string, unknown>): void {
  let [a, b] = [0, 0]
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === undefined) continue
    const field = newLanes()
    mixText(field, name)
    mix(field, value)
    const hash = finished(field)
    a = (a + hash.a) | 0
    b = (b + hash.b) | 0
  }
  mixWord(lanes, 13)
  mixWord(lanes, a)
  mixWord(lanes, b)
}

function mixText(lanes: Lanes, text: string): void {
  let { a, b } = lanes
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995)
    b ^= b >>> 13
  }
  lanes.a = a
  lanes.b = b
  mixWord(lanes, text.length)
}

function mixWord(lanes: Lanes, word: number): void {
  lanes.a = Math.imul(lanes.a ^ word ^ (word >>> 15), 0x2c1b3c6d)
  lanes.b = Math.imul(lanes.b ^ word ^ (word >>> 12), 0x297a2d39)
  lanes.a ^= lanes.a >>> 12
  lanes.b ^= lanes.b >>> 15
}

/** Distributes small differences over all bits. */
function finished({ a, b }: Lanes): Lanes {
  let [x, y] = [a ^ Math.imul(b, 0x27d4eb2f), b ^ Math.imul(a, 0x165667b1)]
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  y = Math.imul(y ^ (y >>> 16), 0xc2b2ae35)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  y = Math.imul(y ^ (y >>> 13), 0x85ebca6b)
  return { a: (x ^ (x >>> 16)) >>> 0, b: (y ^ (y >>> 16)) >>> 0 }
}
