/** Provisions a volume for every claim, and removes it with the claim. */
import { isAlreadyExists, isNotFound } from '@/lib/kube/errors'
import {
  persistentVolume as volumeKind,
  persistentVolumeClaim as claimKind,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from '@/lib/kube/kinds'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import { type Controller, watch } from '@/server/runtime/controller'
import type { MemberContext } from '../member-context'

const PROVISIONER = 'sim.evenkeel.io/provisioner'
/** Names of drivers have no path. */
const DRIVER = 'provisioner.sim.evenkeel.io'
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by'
const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' }

export function claimController(member: MemberContext): Controller {
  return {
    name: 'claim',
    watches: [
      watch({ kind: claimKind }),
      watch({ kind: volumeKind, keys: (change) => claimOf(change.type === 'deleted' ? change.old : change.object) }),
    ],
    reconcile: (key) => reconcile(member, key),
  }
}

function claimOf({ spec }: PersistentVolume): ObjectKey[] {
  const { namespace, name } = spec?.claimRef ?? {}
  return name === undefined ? [] : [keyOf({ namespace, name })]
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<void> {
  const claim = member.informers.of(claimKind).get(key)
  if (!claim || claim.metadata.deletionTimestamp) return release(member, key, claim?.metadata.uid)
  await release(member, key, claim.metadata.uid)
  const volume = member.informers.of(volumeKind).get(volumeNameOf(claim))
  if (!volume) return provision(member, claim)
  if (volume.spec?.claimRef && volume.spec.claimRef.uid !== claim.metadata.uid) return
  await bindVolume(member, claim, volume)
  await bindClaim(member, claim, volume)
}

/** Volumes created for an earlier claim of that name are deleted; those of users stay. */
async function release({ client, informers }: MemberContext, key: ObjectKey, uid: string | undefined): Promise<void> {
  for (const { metadata, spec } of informers.of(volumeKind).list()) {
    if (metadata.annotations?.[PROVISIONED_BY] !== PROVISIONER || spec?.claimRef?.uid === uid) continue
    if (keyOf({ namespace: spec?.claimRef?.namespace, name: spec?.claimRef?.name ?? '' }) !== key) continue
    if (spec?.persistentVolumeReclaimPolicy === 'Retain') continue
    try {
      await client.delete(volumeKind, { name: metadata.name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

const volumeNameOf = ({ metadata, spec }: PersistentVolumeClaim): string => spec.volumeName ?? `pvc-${metadata.uid}`

/** A claim that names a volume waits for it; a claim with an empty class is bound by users. */
async function provision({ client }: MemberContext, claim: PersistentVolumeClaim): Promise<void> {
  const {
    metadata: { namespace, name, uid },
    spec,
  } = claim
  if (spec.volumeName || spec.storageClassName === '') return
  try {
    await client.create(volumeKind, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volumeNameOf(claim), annotations: { [PROVISIONED_BY]: PROVISIONER } },
      spec: {
        ...(spec.accessModes && { accessModes: spec.accessModes }),
        ...(spec.resources?.requests && { capacity: spec.resources.requests }),
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
        csi: { driver: DRIVER, volumeHandle: uid },
        persistentVolumeReclaimPolicy: 'Delete',
        ...(spec.storageClassName && { storageClassName: spec.storageClassName }),
        volumeMode: spec.volumeMode ?? 'Filesystem',
      },
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function bindVolume(
  { client }: MemberContext,
  claim: PersistentVolumeClaim,
  { metadata, spec, status }: PersistentVolume,
): Promise<void> {
  const { namespace, name, uid } = claim.metadata
  if (!spec?.claimRef) {
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid }
    await client.patch(volumeKind, { name: metadata.name }, { type: 'merge', value: { spec: { claimRef } } })
  }
  if (status?.phase === 'Bound') return
  await client.patch(
    volumeKind,
    { name: metadata.name },
    { type: 'merge', value: { status: { phase: 'Bound' } } },
    { subresource: 'status' },
  )
}

async function bindClaim(
  { client }: MemberContext,
  { metadata, spec, status }: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<void> {
  const { namespace, name } = metadata
  if (spec.volumeName === undefined) {
    const value = { metadata: { annotations: BOUND }, spec: { volumeName: volume.metadata.name } }
    await client.patch(claimKind, { namespace, name }, { type: 'merge', value })
  }
  if (status?.phase === 'Bound') return
  const { accessModes, capacity } = volume.spec ?? {}
  const value = { status: { phase: 'Bound', ...(accessModes && { accessModes }), ...(capacity && { capacity }) } }
  await client.patch(claimKind, { namespace, name }, { type: 'merge', value }, { subresource: 'status' })
}
