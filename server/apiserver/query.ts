/** Reading the query of a request, with the refusals of kube-apiserver. */
import { badRequest, internal } from './failures'

/** A whole number, or undefined when absent. Throws 400 in the words of Go. */
export function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

/** True for `true` and `1`; absent is undefined. Any other value than false counts as true, as upstream. */
export function booleanOf(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  return text !== 'false' && text !== '0'
}

/**
 * `resourceVersion` of a read; undefined if absent or empty. An invalid version is refused as by kube-apiserver: 500
 * for a get or watch, 400 for a list.
 */
export function versionOf(query: URLSearchParams, isList = false): number | undefined {
  const text = query.get('resourceVersion')
  if (text === null || text === '') return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const value = JSON.stringify(text)
  const problem = `resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: invalid syntax`
  throw isList ? badRequest(`invalid resource version: ${problem}`) : internal(problem, '')
}
