/** `npm run -s twin -- export`: copies the federation of a control plane into a file. */
import { parseArgs } from 'node:util'
import { type Omission, omissionMessage, type TwinExport } from '@/lib/domain/twin'
import { message } from '@/lib/messages/message'
import type { Text } from '@/lib/messages'
import { terminalText } from '@/server/config/terminal'
import { proxyEnvironment } from '@/server/kube/proxy'
import { exportText, takeExport, TwinError, writeExport } from '@/server/twin'

/** Returns 0, 1 if the source cannot be read or the file not be written, or 2 for wrong arguments. */
export async function main(argv: string[]): Promise<number> {
  const text = terminalText(process.env)
  try {
    const { command, ...values } = argumentsOf(argv)
    if (command !== 'export') {
      process.stdout.write(`${text('twin.cli.help')}\n`)
      return command === undefined ? 0 : 2
    }
    const { kubeconfig = process.env.KUBECONFIG ?? '', context, anonymise = false, output } = values
    const taken = await takeExport({
      kubeconfig,
      context,
      anonymise,
      proxies: proxyEnvironment(process.env),
      now: Date.now(),
    })
    if (output === undefined) for (const piece of exportText(taken)) process.stdout.write(piece)
    else await writeExport(output, taken)
    process.stderr.write(`${reportOf(text, taken, output ?? '-')}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof TwinError)) throw error
    process.stderr.write(`evenkeel: ${text.of(error.detail)}\n`)
    return error.detail.code === 'twin.error.usage' ? 2 : 1
  }
}

function argumentsOf(argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        anonymise: { type: 'boolean' },
        output: { type: 'string', short: 'o' },
      },
    })
    return { ...values, command: positionals[0] }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new TwinError(message('twin.error.usage', { error: why }), error)
  }
}

function reportOf(text: Text, { metadata, omissions }: TwinExport, file: string): string {
  const { objects, source } = metadata
  return [text('twin.cli.written', { objects, source, file }), ...omissionLines(text, omissions)].join('\n')
}

function omissionLines(text: Text, omissions: readonly Omission[]): string[] {
  if (omissions.length === 0) return [text('twin.cli.complete')]
  return [text('twin.cli.omissions'), ...omissions.map((omission) => `  ${text.of(omissionMessage(omission))}`)]
}
