/** Overrides fields whose text is JSON or YAML, such as the files in a ConfigMap. */
import { stringify } from 'yaml'
import { KubeError } from '../../kube/errors'
import type { Overriders } from '../../kube/kinds/override-spec'
import { readYaml } from '../../kube/yaml-text'
import type { Manifest } from '../interpreter'
import { type Change, patchJson, valueAt } from './json-patch'
import { OverriderError } from './override-error'

type FieldOverrider = NonNullable<Overriders['fieldOverrider']>[number]

/** Changes the document inside a text. YAML loses its comments and its keys are sorted; JSON becomes one line. */
export function overrideField(manifest: Manifest, { fieldPath, json = [], yaml = [] }: FieldOverrider): Manifest {
  const text = valueAt(manifest, fieldPath)
  if (typeof text !== 'string') throw new OverriderError(`no string at ${fieldPath}`)
  if (yaml.length === 0 && json.length === 0) return manifest
  const value =
    yaml.length > 0
      ? remembered(text, yaml, () =>
          writeYaml(
            patchJson(
              read('YAML', fieldPath, () => parseYaml(text)),
              yaml.map(toChange),
            ),
          ),
        )
      : JSON.stringify(
          patchJson(
            read('JSON', fieldPath, () => JSON.parse(text) as unknown),
            json.map(toChange),
          ),
        )
  return patchJson(manifest, [{ operator: 'replace', path: fieldPath, value }]) as Manifest
}

/**
 * Results by text and changes. A manifest is overridden again for each cluster and in each reconcile, and parsing and
 * formatting a long document takes a considerable part of a second.
 */
const known = new Map<string, string>()
const MAX_REMEMBERED = 8 * 1024 * 1024
let charactersKnown = 0

function remembered(text: string, changes: readonly Operation[], change: () => string): string {
  const key = `${JSON.stringify(changes)}\n${text}`
  const found = known.get(key)
  if (found !== undefined) return found
  const changed = change()
  charactersKnown += key.length + changed.length
  if (charactersKnown > MAX_REMEMBERED) {
    known.clear()
    charactersKnown = key.length + changed.length
  }
  known.set(key, changed)
  return changed
}

function parseYaml(text: string): unknown {
  const {
    value,
    repeatedLines: [line],
  } = readYaml(text, (detail) => new SyntaxError(detail), '1.2')
  if (line !== undefined) throw new SyntaxError(`line ${line}: key already set in map`)
  return value
}

type Operation = NonNullable<FieldOverrider['json']>[number]

const toChange = ({ operator, subPath, value }: Operation): Change => ({ operator, path: subPath, value })

const writeYaml = (document: unknown): string =>
  stringify(document, { sortMapEntries: true, indentSeq: false, lineWidth: 0 })

function read(format: string, path: string, parseText: () => unknown): unknown {
  try {
    return parseText()
  } catch (error) {
    if (error instanceof KubeError) throw new OverriderError(`the string at ${path} is too long`, { cause: error })
    throw new OverriderError(`the string at ${path} is not valid ${format}`, { cause: error })
  }
}
