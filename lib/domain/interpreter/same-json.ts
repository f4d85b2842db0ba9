/** Structural equality of JSON values; absent and undefined fields are the same, key order does not count. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left, right)
  return sameFields(left as Record<string, unknown>, right as Record<string, unknown>)
}

function sameList(left: unknown, right: unknown): boolean {
  return Array.isArray(left) && Array.isArray(right)
    && left.length === right.length
    && left.every((item, index) => sameJson(item, right[index]))
}

function sameFields(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  for (const key in left) if (!sameJson(left[key], right[key])) return false
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}
