/**
 * Loaded into the product before its own code, so that its wall clock does not advance until the pictures move it: what they
 * show of times is the same in every run. Timers and measured spans stay real.
 */
import { readFileSync } from 'node:fs'

const READ_EVERY_MS = 20
const file = process.env.PICTURES_CLOCK ?? ''

/** While the file is being written it may be empty. */
const read = (): number => Number(readFileSync(file, 'utf8'))

let now = read()
setInterval(() => {
  now = read() || now
}, READ_EVERY_MS).unref()
Date.now = () => now
