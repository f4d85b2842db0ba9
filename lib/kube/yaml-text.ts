/** Bounds on the YAML of requests: it is read far slower than JSON, so that a document may not be as long as a body. */
import { kubeError } from './errors'
import { readDocument, type YamlText, type YamlVersion } from './yaml-document'

/** Longer documents are refused with 413. Clients that send more send JSON, as kubectl does. */
const LONGEST = 512 * 1024

type Refuse = (detail: string) => unknown

/** Reads a short text at once. Throws as `checkYamlLength` and `valueOrRefusal` do. */
export function readYaml(text: string, refuse: Refuse, version: YamlVersion = '1.1'): YamlText {
  checkYamlLength(text)
  return valueOrRefusal(readDocument(text, version), refuse)
}

/** Throws 413 for a text that is too long. */
export function checkYamlLength(text: string): void {
  if (text.length <= LONGEST) return
  const why = `Request entity too large: limit of YAML is ${LONGEST}, send JSON instead`
  throw kubeError(413, 'RequestEntityTooLarge', why)
}

/** Throws what `refuse` makes of the reason when the text was no YAML, or repeats itself too often. */
export function valueOrRefusal(read: ReturnType<typeof readDocument>, refuse: Refuse): YamlText {
  if ('refused' in read) throw refuse(read.refused)
  return read
}
