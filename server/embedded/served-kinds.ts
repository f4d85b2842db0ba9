/** The kinds of the embedded control plane: Karmada's, with columns and a default that its definitions lack. */
import { DEFAULT_TOLERATION_SECONDS, type FailoverDefaults } from '@/lib/domain/failover'
import { allKinds, clusterResourceBinding, resourceBinding } from '@/lib/kube/kinds'
import type { Kind, PrinterColumn } from '@/lib/kube/kind'
import type { Schema } from '@/lib/kube/schema'

const SUSPENDED: PrinterColumn = { name: 'SUSPENDED', type: 'boolean', jsonPath: '.spec.suspension.scheduling' }
const SUSPENDABLE = new Set([resourceBinding.plural, clusterResourceBinding.plural])
const TOLERATION = ['spec', 'failover', 'application', 'decisionConditions', 'tolerationSeconds']

/**
 * Bindings have a column for suspended scheduling before their age. Policies and bindings without `tolerationSeconds`
 * are stored with that of `failover`; the published definitions have the same default.
 */
export function servedKinds(failover: FailoverDefaults = 'upstream'): readonly Kind[] {
  const seconds = DEFAULT_TOLERATION_SECONDS[failover]
  return (allKinds as readonly Kind[]).map((kind) => withColumns(withSchema(kind, seconds)))
}

function withColumns(kind: Kind): Kind {
  if (!SUSPENDABLE.has(kind.plural)) return kind
  return { ...kind, printerColumns: [...kind.printerColumns.slice(0, -1), SUSPENDED, ...kind.printerColumns.slice(-1)] }
}

function withSchema(kind: Kind, seconds: number): Kind {
  const schema = withDefault(kind.schema, TOLERATION, seconds)
  return schema === kind.schema ? kind : { ...kind, schema: schema as Kind['schema'] }
}

/** The same schema if it has no such field, or already this default. */
function withDefault(schema: Schema, [name, ...rest]: readonly string[], value: unknown): Schema {
  if (name === undefined) return schema.default === value ? schema : { ...schema, default: value }
  const field = schema.properties?.[name]
  const changed = field && withDefault(field, rest, value)
  return changed === field ? schema : { ...schema, properties: { ...schema.properties, [name]: changed! } }
}
