/** The volume claims of each pod of a StatefulSet. */
import { isAlreadyExists } from '@/lib/kube/errors'
import {
  persistentVolumeClaim as claimKind,
  statefulSet as statefulSetKind,
  type PersistentVolumeClaim,
  type PodTemplate,
  type StatefulSet,
} from '@/lib/kube/kinds'
import type { Draft, ObjectMeta } from '@/lib/kube/object'
import type { MemberContext } from '../member-context'
import { ownedBy } from '../ownership'

/** A claim, and the volume name of the pod's containers. */
export interface SetClaim {
  volume: string
  draft: Draft<PersistentVolumeClaim> & { metadata: { name: string } }
}

type ClaimTemplate = Pick<PersistentVolumeClaim, 'spec'> & { metadata: Partial<ObjectMeta> & { name: string } }

/**
 * Returns the claims `<template>-<set>-<ordinal>` for each template. They outlive the set, unless its retention policy
 * says otherwise.
 */
export function claimsOf(set: StatefulSet, ordinal: number): SetClaim[] {
  const { namespace, name: setName } = set.metadata
  const templates = (set.spec.volumeClaimTemplates ?? []) as unknown as ClaimTemplate[]
  const dies = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete'
  return templates.map(({ metadata: { name, labels, annotations }, spec }) => ({
    volume: name,
    draft: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: `${name}-${setName}-${ordinal}`,
        namespace,
        labels: { ...labels, ...set.spec.selector.matchLabels },
        ...(annotations && { annotations }),
        ...(dies && { ownerReferences: [ownedBy(statefulSetKind, set)] }),
      },
      spec,
    },
  }))
}

/** The claim of an earlier pod with the same ordinal is reused. */
export async function ensureClaim({ client }: MemberContext, { draft }: SetClaim): Promise<void> {
  try {
    await client.create(claimKind, draft)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/** Returns the template with its own claims in place of volumes of those names. */
export function withClaims(template: PodTemplate, claims: readonly SetClaim[]): PodTemplate {
  if (claims.length === 0) return template
  const own = claims.map(({ volume, draft }) => ({
    name: volume,
    persistentVolumeClaim: { claimName: draft.metadata.name },
  }))
  const others = (template.spec.volumes ?? []).filter(({ name }) => !own.some((volume) => volume.name === name))
  return { ...template, spec: { ...template.spec, volumes: [...others, ...own] } }
}
