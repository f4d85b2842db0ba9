/**
 * `npm run format`: formats TypeScript according to `.oxfmtrc.json`; with `--check` it only lists the files that
 * differ.
 */
import { bin, run } from '@/server/cli/process'

export const main = (argv: string[]): Promise<number> => run(bin('oxfmt'), argv)
