/** Every sequence has a seed of its own, so that one can be repeated without those before it. */
export function seedOf(seed: number, target: string, index: number): number {
  return (
    [...`${seed} ${target} ${index}`].reduce(
      (hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x0100_0193),
      0x811c_9dc5,
    ) >>> 0
  )
}
