/** Runs one command of package.json. Each command is a module that exports `main(argv)` and answers an exit code. */

export interface Command {
  main(argv: string[]): Promise<number>
}

const commands: Record<string, () => Promise<Command>> = {
  start: () => import('./start'),
  test: () => import('./test'),
  check: () => import('./check'),
  conformance: () => import('./conformance'),
  bench: () => import('./bench'),
  screenshots: () => import('./screenshots'),
  fuzz: () => import('./fuzz'),
}

const [command = '', ...argv] = process.argv.slice(2)
const load = commands[command]
if (load) {
  process.exitCode = await (await load()).main(argv)
} else {
  console.error(`evenkeel: no command "${command}"; there are: ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}
