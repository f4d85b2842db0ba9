/** `npm start`: builds when needed, then runs the product. */
import { ensureBuild } from './build'
import { COMPILE_CACHE, NODE_FLAGS, run } from './process'

/** Runs until the server ends; returns its exit code. */
export async function main(argv: string[]): Promise<number> {
  await ensureBuild()
  return run(process.execPath, [...NODE_FLAGS, 'dist/main.js', ...argv], { NODE_ENV: 'production', ...COMPILE_CACHE })
}
