/** Texts that are themselves JSON or YAML, such as the files in a ConfigMap. */
import { parse, stringify } from 'yaml'
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'
import { type Change, patchJson, valueAt } from './json-patch'
import { OverriderProblem } from './override-error'

type FieldOverrider = NonNullable<Overriders['fieldOverrider']>[number]

/** Changes the document inside a text. YAML loses its comments and gets its keys sorted; JSON becomes one line. */
export function overrideField(manifest: Manifest, { fieldPath, json = [], yaml = [] }: FieldOverrider): Manifest {
  const text = valueAt(manifest, fieldPath)
  if (typeof text !== 'string') throw new OverriderProblem(`there is no text at ${fieldPath}`)
  if (yaml.length === 0 && json.length === 0) return manifest
  const value = yaml.length > 0
    ? writeYaml(patchJson(read('YAML', fieldPath, () => parse(text) as unknown), yaml.map(toChange)))
    : JSON.stringify(patchJson(read('JSON', fieldPath, () => JSON.parse(text) as unknown), json.map(toChange)))
  return patchJson(manifest, [{ operator: 'replace', path: fieldPath, value }]) as Manifest
}

type Operation = NonNullable<FieldOverrider['json']>[number]

const toChange = ({ operator, subPath, value }: Operation): Change => ({ operator, path: subPath, value })

const writeYaml = (document: unknown): string =>
  stringify(document, { sortMapEntries: true, indentSeq: false, lineWidth: 0 })

function read(format: string, path: string, parseText: () => unknown): unknown {
  try {
    return parseText()
  } catch (error) {
    throw new OverriderProblem(`the text at ${path} is no ${format}`, { cause: error })
  }
}
