/** The defaults of what a claim asks for. */
import { omit } from '@/lib/std/omit'
import type { PersistentVolumeClaim } from '../kinds'
import type { UnknownObject } from '../object'
import { withGroup } from './references'

type ClaimSpec = PersistentVolumeClaim['spec']

export function defaultClaimSpec(spec: ClaimSpec): ClaimSpec {
  const { dataSource, dataSourceRef } = spec
  return {
    ...spec,
    ...(dataSource && { dataSource: withGroup(dataSource) }),
    ...(dataSourceRef && { dataSourceRef: withGroup(dataSourceRef) }),
    resources: spec.resources ?? {},
    volumeMode: spec.volumeMode ?? 'Filesystem',
  }
}

const CLAIM = 'PersistentVolumeClaim'
const SNAPSHOT = 'VolumeSnapshot'

/**
 * The old and the new field for a source say the same. The old one holds claims and snapshots alone, unless it was there before;
 * a source in another namespace needs a gate that is closed by default.
 */
function withSources(spec: ClaimSpec, before?: ClaimSpec): ClaimSpec {
  const isForeign = !!spec.dataSourceRef?.namespace && !before?.dataSourceRef
  const kept: ClaimSpec = isForeign ? omit(spec, 'dataSourceRef') : spec
  const { dataSource, dataSourceRef } = kept
  if (dataSourceRef?.namespace) return kept
  if (dataSource && !dataSourceRef) {
    const isOld = before?.dataSource !== undefined || isClaimOrSnapshot(dataSource)
    return isOld ? { ...kept, dataSourceRef: dataSource } : omit(kept, 'dataSource')
  }
  if (!dataSourceRef || dataSource) return kept
  const { namespace: _, ...reference } = dataSourceRef
  return { ...kept, dataSource: reference }
}

function isClaimOrSnapshot({ apiGroup, kind }: NonNullable<ClaimSpec['dataSource']>): boolean {
  return !apiGroup ? kind === CLAIM : apiGroup === 'snapshot.storage.k8s.io' && kind === SNAPSHOT
}

/** A claim with its sources as the server keeps them. */
export function placeSources(object: UnknownObject, old?: UnknownObject): UnknownObject {
  const [{ spec }, before] = [object, old] as unknown as [PersistentVolumeClaim, PersistentVolumeClaim | undefined]
  return { ...object, spec: withSources(spec, before?.spec) }
}
