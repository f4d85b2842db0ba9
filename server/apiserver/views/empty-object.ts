import { zeroFields } from '../protobuf/zero'
import type { Resource } from '../registry/resource'
import { TEMPLATE_GENERATION } from './internal-form'

/** The object of a bookmark: of a built-in kind one without content. */
export function emptyObject({ kind: { kind, origin }, apiVersion }: Pick<Resource, 'kind' | 'apiVersion'>): object {
  const hasGeneration = apiVersion === 'apps/v1' && kind === 'DaemonSet'
  return {
    kind,
    apiVersion,
    ...(hasGeneration && { metadata: { annotations: { [TEMPLATE_GENERATION]: '0' } } }),
    ...(origin === 'builtin' && zeroFields(apiVersion, kind)),
  }
}
