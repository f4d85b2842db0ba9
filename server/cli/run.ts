/** Runs one command of package.json: the module that it names exports `main(argv)`, which returns an exit code. */

interface Command {
  main(argv: string[]): Promise<number>
}

const [module = '', ...argv] = process.argv.slice(2)
const command = (await import(new URL(`../../${module}.ts`, import.meta.url).href)) as Command
process.exitCode = await command.main(argv)
