/** Replays a recorded kubectl session against a server: every command with the real kubectl, in order. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './exchanges'
import { type Bindings, difference, fill } from './placeholders'
import { missingParts } from './recorded-case'

interface RecordedCommand {
  n: number
  group: string
  args: string[]
  stdin?: string
  env?: Record<string, string>
  exitCode?: number
  stdout?: string
  stderr?: string
  unstable?: string[]
  compare?: 'none' | 'exit-code-only' | 'contains-lines'
  needs?: string | string[]
}

export interface KubectlTarget {
  /** A kubeconfig whose current context is an administrator of the server. */
  kubeconfig: string
  kubectl?: string
  /** Components beside a plain API server; all if absent. */
  parts?: readonly string[]
}

/** Runs every command; commands not recorded for comparison are run and pass. */
export async function runKubectlSession(file: string, target: KubectlTarget): Promise<Outcome[]> {
  const commands = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCommand)
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-session-'))
  const unique = `k${process.pid.toString(36)}`
  const bindings: Bindings = {
    values: new Map([
      ['u', unique],
      ['ns', `ex-${unique}`],
      ['tmp', directory],
    ]),
  }
  const session: Session = { target, directory, bindings }
  await run(session, ['create', '-f', '-'], { stdin: NAMESPACE })
  const outcomes: Outcome[] = []
  for (const command of commands) outcomes.push(await judge(session, command))
  rmSync(directory, { recursive: true })
  return outcomes
}

const NAMESPACE = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: '{{ns}}', labels: { 'namespace.karmada.io/skip-auto-propagation': 'true' } },
})

interface Session {
  target: KubectlTarget
  directory: string
  bindings: Bindings
}

interface Printed {
  exitCode: number
  stdout: string
  stderr: string
}

async function judge(session: Session, command: RecordedCommand): Promise<Outcome> {
  const name = `${command.n} ${command.args.join(' ')}`
  const outcome = (reason?: string): Outcome => ({
    name,
    topic: command.group,
    ...(reason !== undefined && { reason }),
  })
  const args = command.args.map((arg) => filled(session, arg))
  const scoped = args.some(
    (arg) => arg === '-n' || arg === '-A' || arg.startsWith('--namespace') || arg === '--all-namespaces',
  )
  const printed = await run(
    session,
    scoped ? args : inNamespace(args, session.bindings.values.get('ns') ?? ''),
    command,
  )
  if (command.compare === 'none') return outcome()
  const skipped = missingParts(command.needs, session.target.parts)
  if (skipped.length > 0) return { ...outcome(), skipped }
  if (command.exitCode !== printed.exitCode) {
    return outcome(`exit code ${printed.exitCode} instead of ${command.exitCode}: ${printed.stderr}`)
  }
  if (command.compare === 'exit-code-only') return outcome()
  const calm = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/ +$/gm, '')
  const wanted = calm(command.stdout ?? '')
  if (command.compare === 'contains-lines') {
    const missing = wanted.split('\n').find(
      (line) =>
        !calm(printed.stdout)
          .split('\n')
          .some((one) => difference(line, one, session.bindings) === undefined),
    )
    return outcome(missing === undefined ? undefined : `stdout lacks ${missing}`)
  }
  const texts = [
    ['stdout', wanted],
    ['stderr', calm(command.stderr ?? '')],
  ] as const
  const found = texts
    .filter(([stream]) => !command.unstable?.includes(stream))
    .map(([stream, text]) => difference(text, calm(printed[stream]), session.bindings, stream))
  return outcome(found.find((one) => one !== undefined))
}

/** Arguments after `--` belong to another program. */
function inNamespace(args: readonly string[], namespace: string): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return [...args.slice(0, end), '-n', namespace, ...args.slice(end)]
}

/** Only placeholders of this run; templates of kubectl itself look alike. */
function filled({ bindings }: Session, text: string): string {
  return text.replaceAll(/\{\{(?:ns|u|tmp)\}\}/g, (token) => fill(token, bindings))
}

function run(
  { target, directory, bindings }: Session,
  args: readonly string[],
  command?: Pick<RecordedCommand, 'stdin' | 'env'>,
): Promise<Printed> {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    KUBECONFIG: target.kubeconfig,
    ...command?.env,
  } as unknown as NodeJS.ProcessEnv
  return new Promise((resolve) => {
    const child = execFile(
      target.kubectl ?? '/usr/bin/kubectl',
      [...args],
      { env, timeout: 60_000, cwd: directory },
      (error, stdout, stderr) => {
        const code = error ? error.code : 0
        resolve({ exitCode: typeof code === 'number' ? code : 1, stdout: String(stdout), stderr: String(stderr) })
      },
    )
    child.stdin?.end(filled({ target, directory, bindings }, command?.stdin ?? ''))
  })
}
