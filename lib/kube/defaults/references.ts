/** The defaults of references to objects of any kind. */

/** A reference always shows its group. */
export function withGroup<T extends { apiGroup?: string }>(reference: T): T {
  return { apiGroup: null, ...reference } as unknown as T
}
