/** Compares new pictures with the committed ones, and writes those that differ. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shot } from './camera'
import { compare, decode, encode } from './png'
import { differingCells, readSignatures, signatureOf } from './signatures'

/** A digit that changes is more. */
const MAX_PIXELS = 12

interface Folders {
  kept: string
  /** Emptied first; gets the new picture of each difference, and one with the differing pixels in red. */
  folder: string
}

export function comparison({ kept, folder }: Folders) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const findings: string[] = []
  const signatures = readSignatures(kept)
  /** A run of the journeys empties the folder around it. */
  const write = (file: string, png: Buffer): void => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, file), png)
  }
  return {
    /** Compares with the signature of a picture that is not kept. */
    sign: async ({ file, png }: Shot): Promise<void> => {
      const picture = decode(png)
      const known = signatures.get(file)
      const cells = known === undefined ? undefined : differingCells(known, signatureOf(picture))
      if (cells === 0) return
      write(file, encode(picture))
      findings.push(
        cells === undefined
          ? `${file} is new: sign it with npm run screenshots`
          : `${file} differs in ${cells} of its cells: ${join(folder, file)}`,
      )
    },
    keep: async ({ file, png }: Shot): Promise<void> => {
      const now = encode(decode(png))
      const path = join(kept, file)
      if (!existsSync(path)) {
        write(file, now)
        findings.push(`${file} is new: take it with npm run screenshots`)
        return
      }
      const { pixels, picture } = compare(decode(readFileSync(path)), decode(now))
      if (pixels <= MAX_PIXELS) return
      write(file, now)
      write(file.replace('.png', '.difference.png'), encode(picture))
      findings.push(`${file} differs in ${pixels} pixels: ${join(folder, file.replace('.png', '.difference.png'))}`)
    },
    findings,
  }
}
