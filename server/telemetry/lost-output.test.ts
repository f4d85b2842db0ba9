import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const MODULE = fileURLToPath(new URL('./lost-output.ts', import.meta.url))

/** Logs each uncaught exception, as frameworks do, and ends with 7 when that happens too often. */
const PROGRAM = `
let caught = 0
process.on('uncaughtException', (error) => {
  if (++caught > 50) process.exit(7)
  console.error(error)
})
if (process.argv[1] === 'survive') (await import(${JSON.stringify(MODULE)})).surviveLostOutput([process.stdout, process.stderr])
process.send('ready')
process.once('message', () => {
  process.stdout.write('a line for a reader that is gone')
  process.stderr.write('a line for a reader that is gone')
  setTimeout(() => process.exit(caught === 0 ? 0 : 8), 500)
})
`

async function endsWith(mode: 'survive' | 'as before'): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, mode], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  await once(child, 'message')
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.send('write')
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

test('a process that lost the reader of its output goes on, and does not report its own reports', async () => {
  expect(await endsWith('as before')).toBe(7)
  expect(await endsWith('survive')).toBe(0)
})
