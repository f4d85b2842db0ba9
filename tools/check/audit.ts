/** Known vulnerabilities of production dependencies, as reported by the registry. */
import { capture, type Outcome } from '@/server/cli/process'

/** What `npm audit --json` prints: a report, or an error of the registry or of npm. */
interface AuditOutput {
  vulnerabilities?: Record<
    string,
    {
      name: string
      severity: string
      range?: string
      fixAvailable?: unknown
      via?: readonly (string | { title?: string; url?: string })[]
    }
  >
  metadata?: { vulnerabilities?: Record<string, number> }
  message?: string
  error?: { summary?: string; code?: string }
}

/** Severities that fail the check. */
const SEVERE = new Set(['high', 'critical'])
const ARGUMENTS = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=1', '--fetch-timeout=20000']

/** Queries the registry. A registry without that endpoint, or no network, is reported and is no failure. */
export async function auditDependencies(npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'): Promise<Outcome> {
  try {
    return judgeAudit((await capture(npm, ARGUMENTS)).output)
  } catch (error) {
    return unaudited(`npm could not be started: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The verdict on what `npm audit --json` printed, with its warnings around. */
export function judgeAudit(printed: string): Outcome {
  const output = parsed(printed)
  if (!output) return unaudited(firstLine(printed) || 'npm audit printed nothing')
  if (!output.vulnerabilities)
    return unaudited(output.message || output.error?.summary || output.error?.code || 'the registry sent no report')
  const severe = Object.values(output.vulnerabilities).filter(({ severity }) => SEVERE.has(severity))
  if (severe.length > 0) return { code: 1, output: severe.map(described).join('\n') }
  const mild = Object.keys(output.vulnerabilities).length
  return { code: 0, output: '', note: mild > 0 ? `${mild} findings below high` : 'no findings' }
}

const unaudited = (why: string): Outcome => ({ code: 0, output: '', note: `not audited: ${why}` })

type Finding = NonNullable<AuditOutput['vulnerabilities']>[string]

function described({ name, severity, range, fixAvailable, via = [] }: Finding): string {
  const causes = via.map((cause) =>
    typeof cause === 'string' ? `by ${cause}` : [cause.title, cause.url].filter(Boolean).join(' '),
  )
  return `${severity}: ${name} ${range ?? ''} ${causes.join('; ')}${fixAvailable ? ' (a fixed version exists: raise it in package.json)' : ''}`
}

function parsed(printed: string): AuditOutput | undefined {
  const [from, to] = [printed.search(/^\{/m), printed.lastIndexOf('\n}')]
  if (from < 0 || to < from) return undefined
  try {
    return JSON.parse(printed.slice(from, to + 2)) as AuditOutput
  } catch {
    return undefined
  }
}

const firstLine = (text: string): string =>
  text.split('\n').find((line) => /err/i.test(line)) ?? text.split('\n')[0] ?? ''
