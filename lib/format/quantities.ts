/** Amounts of resources, from base units (milli-CPU, bytes) to what people read. */

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const

/** Milli-CPU as cores: `0.25`, `1.5`, `16`. */
export function formatCpu(milli: number): string {
  return shortNumber(milli / 1000)
}

/** Bytes in the largest binary unit that leaves at least 1: `512 MiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  let value = Math.abs(bytes)
  let unit = 0
  while (value >= 1024 && unit < BINARY.length - 1) {
    value /= 1024
    unit++
  }
  return `${shortNumber(bytes < 0 ? -value : value)} ${BINARY[unit]}`
}

/** At most two digits behind the point for small numbers, one up to 100, none above. */
function shortNumber(value: number): string {
  const size = Math.abs(value)
  return String(Number(value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)))
}
