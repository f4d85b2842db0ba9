/** The size of objects that an API server stores. */
import { byteLength } from '@/lib/std/byte-length'

/** etcd's default request limit: an object that fits here also fits a real control plane. */
const MAX_BYTES = 1.5 * 1024 * 1024
const MAX_BYTES_PER_UNIT = 3

/** Reports whether an object, as JSON, is more than an API server stores. */
export function isTooLarge(json: string): boolean {
  return json.length * MAX_BYTES_PER_UNIT > MAX_BYTES && byteLength(json) > MAX_BYTES
}
