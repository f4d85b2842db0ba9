/** Scenarios and manifests from files. Nothing is started for files that cannot be read. */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { MAX_SCENARIO_LENGTH, readScenario } from '@/lib/domain/rehearsal/read-scenario'
import { isManifest, type Manifest, type Scenario } from '@/lib/domain/rehearsal/scenario'
import { message } from '@/lib/messages/message'
import { isValueTooDeep } from '@/lib/std/json-bounds'
import { BadInput } from './bad-input'

/** All files of manifests together. */
const MAX_BYTES = 64 * 2 ** 20
const MAX_FILES = 5_000
const MAX_OBJECTS = 50_000
const MANIFEST = /\.(?:ya?ml|json)$/

/** Throws BadInput with every problem of the scenario. */
export function readScenarioFile(path: string): Scenario {
  const read = readScenario(readBounded(path, MAX_SCENARIO_LENGTH))
  if ('problems' in read) {
    throw new BadInput(read.problems.map((problem) => message('rehearsal.input.inFile', { path, problem })))
  }
  return read.scenario
}

/** The text of a file. Throws BadInput if it cannot be read or is too long. */
export function readBounded(path: string, limit: number): string {
  try {
    if (statSync(path).size <= limit) return readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.unreadable', { path, why })])
  }
  throw new BadInput([
    message('rehearsal.input.inFile', {
      path,
      problem: message('rehearsal.input.tooLong', { limit: { bytes: limit } }),
    }),
  ])
}

/** The objects of a file, or of all files below a folder, by name. */
export function readManifests(path: string): Manifest[] {
  const files = filesIn(path)
  let bytes = MAX_BYTES
  const objects = files.flatMap((file) => {
    const text = readBounded(file, bytes)
    bytes -= text.length
    return manifestsIn(file, text)
  })
  if (objects.length > MAX_OBJECTS || files.length > MAX_FILES) {
    throw new BadInput([message('rehearsal.input.tooMany', { path, limit: MAX_OBJECTS })])
  }
  return objects
}

function filesIn(path: string): string[] {
  let entries: Dirent[]
  try {
    if (!statSync(path).isDirectory()) return [path]
    entries = readdirSync(path, { recursive: true, withFileTypes: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.unreadable', { path, why })])
  }
  return entries
    .filter((entry) => entry.isFile() && MANIFEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

function manifestsIn(path: string, text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [broken] = document.errors
    if (broken) {
      const line = broken.linePos?.[0].line ?? 1
      throw new BadInput([message('rehearsal.input.badYaml', { path, line, why: firstLineOf(broken.message) })])
    }
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (value === null || value === undefined) return []
    const objects = itemsOf(value)
    if (!isValueTooDeep(value) && objects.every(isManifest)) return objects
    throw new BadInput([message('rehearsal.input.inFile', { path, problem: message('rehearsal.input.manifest') })])
  })
}

/** `kubectl get -o yaml` writes a List. */
function itemsOf(value: unknown): unknown[] {
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  return kind === 'List' && Array.isArray(items) ? items : [value]
}

const firstLineOf = (text: string): string => text.split('\n', 1)[0]!.replace(/:$/, '')
