/** The scale subresource: the replicas of an object behind one form for all kinds. */
import type { ScaleSubresource } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import type { LabelSelectorLike } from '@/lib/kube/selector'
import type { Ask } from '../api'
import { readTyped } from '../body'
import { json, type Reply } from '../call'
import { conflict, invalid } from '../failures'
import type { Entry } from '../store/store'
import { updateObject } from '../registry/update'
import { selectorText } from '../views/columns/reading'
import { readDryRun } from './create'
import { find } from './get'
import { readPatch } from './patch'

const SCALE = { kind: 'Scale', apiVersion: 'autoscaling/v1' }

/** GET of a scale. */
export async function getScale(ask: Ask): Promise<Reply> {
  await ask.api.store.settled()
  return json(scaleOf(ask, find(ask)))
}

/** PUT of a scale. */
export async function updateScale(ask: Ask): Promise<Reply> {
  const dryRun = readDryRun(ask.call.query, 'UpdateOptions')
  const scale = await readTyped(ask.call, SCALE)
  return writeScale(ask, find(ask), scale, dryRun)
}

/** PATCH of a scale. */
export async function patchScale(ask: Ask): Promise<Reply> {
  const dryRun = readDryRun(ask.call.query, 'PatchOptions')
  const change = await readPatch(ask)
  const current = find(ask)
  return writeScale(ask, current, change(scaleOf(ask, current)) as UnknownObject, dryRun)
}

async function writeScale(ask: Ask, current: Entry, scale: UnknownObject, dryRun: boolean): Promise<Reply> {
  const { kind } = ask.resource
  const { name, uid, resourceVersion } = scale.metadata
  const replicas = (scale.spec as { replicas?: number } | undefined)?.replicas ?? 0
  if (uid && uid !== current.value.metadata.uid) {
    throw conflict(
      kind, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.value.metadata.uid}`,
    )
  }
  if (!Number.isInteger(replicas) || replicas < 0) {
    const message = `Invalid value: ${String(replicas)}: must be greater than or equal to 0`
    throw invalid(
      { group: 'autoscaling', word: 'Scale', name: current.value.metadata.name },
      [{ reason: 'FieldValueInvalid', message, field: 'spec.replicas' }],
    )
  }
  const next = withValueAt(current.value, pathOf(paths(ask).specReplicasPath), replicas) as UnknownObject
  const versioned = { ...next, metadata: { ...next.metadata, resourceVersion: resourceVersion ?? '' } }
  return json(scaleOf(ask, await updateObject(ask, current, versioned, { dryRun })))
}

function scaleOf(ask: Ask, { value }: Entry): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = value.metadata
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = paths(ask)
  const replicas = valueAt(value, pathOf(specReplicasPath)) as number | undefined
  const selector = labelSelectorPath ? valueAt(value, pathOf(labelSelectorPath)) : builtinSelector(value)
  return {
    ...SCALE,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { ...(replicas && { replicas }) },
    status: { replicas: valueAt(value, pathOf(statusReplicasPath)) ?? 0, ...(selector !== undefined && { selector }) },
  }
}

function builtinSelector(value: UnknownObject): string | undefined {
  const selector = valueAt(value, ['spec', 'selector']) as LabelSelectorLike | undefined
  return selector && selectorText(selector)
}

function paths({ resource }: Ask): ScaleSubresource {
  return resource.kind.subresources.scale as ScaleSubresource
}

function pathOf(jsonPath: string): string[] {
  return jsonPath.split('.').slice(1)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value)
}

function withValueAt(value: unknown, [head, ...rest]: readonly string[], leaf: unknown): unknown {
  if (head === undefined) return leaf
  const fields = (value ?? {}) as Record<string, unknown>
  return { ...fields, [head]: withValueAt(fields[head], rest, leaf) }
}
