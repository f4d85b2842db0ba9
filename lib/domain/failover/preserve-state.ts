/** Preserves the state of a failed workload for its new replicas, as labels. */
import type { FailoverBinding } from './binding'
import { compileStrictJsonPath, type JsonPath, JsonPathMiss } from '../../kube/jsonpath'

/** Reports that state cannot be preserved: the rule is unreadable, or the status lacks the value. */
export class StateError extends Error {
  override readonly name = 'StateError'
}

/** One rule: the label name, and a template of text and `{…}` paths. */
export interface PreservationRule {
  aliasLabelName: string
  jsonPath: string
}

/**
 * Returns the labels that the rules derive from a status. A rule whose path matches nothing is omitted and passed to
 * `onMiss`. Without `onMiss`, as upstream, it throws a StateError, as unreadable rules do. Strings are used as they
 * are, lists and maps as JSON, and several values of one path are separated by spaces.
 */
export function preservedState(
  rules: readonly PreservationRule[],
  status: unknown,
  onMiss?: (text: string) => void,
): Record<string, string> {
  return Object.fromEntries(
    rules.flatMap(({ aliasLabelName, jsonPath }) => {
      const filled = fillTemplate(jsonPath, status)
      if (typeof filled === 'string') return [[aliasLabelName, filled] as const]
      // upstream: pkg/controllers/applicationfailover, buildPreservedLabelState
      const text = `failed to execute jsonpath ${JSON.stringify(jsonPath)}: ${filled.message}`
      if (!onMiss) throw new StateError(text)
      onMiss(text)
      return []
    }),
  )
}

/**
 * Returns the state labels for a workload that is evicted because of its cluster; undefined if its policy preserves
 * none. Without `skipsMissing`, as upstream, throws a StateError if the status lacks a value.
 */
export function clusterState(
  { spec, status }: Pick<FailoverBinding, 'spec' | 'status'>,
  cluster: string,
  skipsMissing: boolean,
): Record<string, string> | undefined {
  const rules = spec.failover?.cluster?.statePreservation?.rules ?? []
  if (rules.length === 0) return undefined
  const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster)
  if (item?.status === undefined || item.status === null) {
    if (skipsMissing) return undefined
    // upstream: pkg/controllers/cluster, extractStateForEviction
    throw new StateError(`the application status has not yet been collected from Cluster(${cluster})`)
  }
  return preservedState(rules, item.status, skipsMissing ? () => undefined : undefined)
}

function fillTemplate(template: string, status: unknown): string | JsonPathMiss {
  const parts = parseTemplate(template)
  try {
    return parts.map((part) => (typeof part === 'string' ? part : part(status).map(textOf).join(' '))).join('')
  } catch (error) {
    if (error instanceof JsonPathMiss) return error
    throw error
  }
}

/** Parses plain text and, in braces, paths or quoted text. */
function parseTemplate(template: string): (string | JsonPath)[] {
  try {
    return template
      .split(/(\{[^{}]*\})/)
      .map((part) => (part.startsWith('{') && part.endsWith('}') ? parseBraces(part.slice(1, -1).trim()) : plain(part)))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new StateError(`failed to parse jsonpath ${JSON.stringify(template)}: ${error.message}`)
    throw error
  }
}

function parseBraces(inner: string): string | JsonPath {
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')$/.exec(inner) ?? []
  return double ?? single ?? compileStrictJsonPath(inner)
}

function plain(text: string): string {
  if (/[{}]/.test(text)) throw new SyntaxError('unclosed action')
  return text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
