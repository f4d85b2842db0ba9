/** `npm run check`: static checks of the code. */
import { existsSync, writeFileSync } from 'node:fs'
import { auditDependencies } from './audit'
import { checkLock } from './check-lock'
import { checkDocuments } from './documents'
import { checkLicences } from './licences'
import { checkMessages } from './messages'
import { bin, capture, type Outcome } from '@/server/cli/process'

interface Check {
  name: string
  run: () => Promise<Outcome>
}

const checks: readonly Check[] = [
  { name: 'types', run: () => capture(bin('tsc'), ['--noEmit']) },
  { name: 'types of lib without Node and DOM', run: () => capture(bin('tsc'), ['--noEmit', '-p', 'lib']) },
  { name: 'format', run: () => capture(bin('oxfmt'), ['--check']) },
  { name: 'lint', run: () => capture(bin('oxlint'), ['--deny-warnings']) },
  {
    name: 'import rules',
    run: () => capture(bin('depcruise'), ['app', 'components', 'lib', 'server', 'tools', 'e2e']),
  },
  { name: 'dead code', run: () => capture(bin('knip'), ['--no-progress']) },
  { name: 'documents name what is there', run: async () => checkDocuments() },
  { name: 'sentences are in the catalogue', run: async () => checkMessages() },
  { name: 'lock file complete for every platform', run: async () => checkLock('package-lock.json') },
  { name: 'licences of what is shipped', run: async () => checkLicences() },
  { name: 'known holes in what is shipped', run: () => auditDependencies() },
]

/** Prints a line for each check, the findings of failed ones, and the count last. */
export async function main(): Promise<number> {
  // Next writes this file at its first build; types must check before one, too.
  if (!existsSync('next-env.d.ts')) writeFileSync('next-env.d.ts', '/// <reference types="next" />\n')
  let failed = 0
  for (const check of checks) {
    const { code, output, note } = await check.run()
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name}${note === undefined ? '' : ` (${note})`}`)
    if (code === 0) continue
    failed += 1
    console.log(output)
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
