/** `npm run format`: writes TypeScript as `.oxfmtrc.json` says; with `--check` it only names the files that differ. */
import { bin, run } from '@/server/cli/process'

export const main = (argv: string[]): Promise<number> => run(bin('oxfmt'), argv)
