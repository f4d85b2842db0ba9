/** The value that a share (0 to 1) of the sorted values does not exceed; undefined without any. */
export const quantileOf = <T extends ArrayLike<number>>(sorted: T, share: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
