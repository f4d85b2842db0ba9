/** Finds suites and their vectors by the names of their files, so that adding a suite is adding a file. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Case, Suite } from './suite'

const suites = fileURLToPath(new URL('suites/', import.meta.url))
const vectors = fileURLToPath(new URL('vectors/', import.meta.url))

/** The names of all suites that exist, sorted. */
export function listSuites(): string[] {
  return readdirSync(suites)
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted()
}

/** The suite of that name; undefined when there is none. */
export async function loadSuite(name: string): Promise<Suite | undefined> {
  if (!listSuites().includes(name)) return undefined
  const module = (await import(new URL(`suites/${name}.ts`, import.meta.url).href)) as { suite: Suite }
  return module.suite
}

/** The path of the project's vectors for that suite; undefined if there are none. */
export function bundledVectors(name: string): string | undefined {
  return readdirSync(vectors)
    .flatMap((folder) => ['jsonl.gz', 'jsonl'].map((end) => `${vectors}${folder}/${name}.${end}`))
    .find((file) => existsSync(file))
}

/** The cases of a `.jsonl` or `.jsonl.gz` file. */
export function* readCases(file: string): Generator<Case> {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  for (const line of text.split('\n')) if (line.trim()) yield JSON.parse(line) as Case
}
