/** The cost of the disk alone: a commit of this form without other work. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Percentiles, percentiles } from './figures'

const COMMITS = 200

/** Appends as many bytes as a commit of `objects` objects and waits for the disk, again and again. */
export function measureDisk(directory: string, objects: number): Percentiles {
  const file = join(directory, 'probe')
  const descriptor = openSync(file, 'w')
  const bytes = Buffer.alloc(objects * 2300)
  const latencies = Array.from({ length: COMMITS }, () => {
    const start = performance.now()
    writeSync(descriptor, bytes)
    fdatasyncSync(descriptor)
    return performance.now() - start
  })
  closeSync(descriptor)
  rmSync(file)
  return percentiles(latencies)
}
