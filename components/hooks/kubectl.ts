/** kubectl commands for the control plane that the console shows, wherever they are pasted. */
import type { AboutView } from '@/lib/view/model'

const PLAIN = /^[\w@%+=:,./-]+$/

/** One word for a POSIX shell. */
const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

/** The command with the kubeconfig, and the context, named. As it is where the file is not known, as with a login. */
export function kubectlFor(command: string, kubeconfig: AboutView['kubeconfig']): string {
  if (kubeconfig === undefined) return command
  const { path, context } = kubeconfig
  const flags = `--kubeconfig ${shellWord(path)}${context === undefined ? '' : ` --context ${shellWord(context)}`}`
  return command.replace(/^kubectl(?= )/, () => `kubectl ${flags}`)
}
