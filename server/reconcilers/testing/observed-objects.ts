/**
 * Objects recorded from a real control plane, and functions that bring the embedded one's into the same form, without
 * identities, versions and times.
 */
import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { prefersLaterName } from '@/lib/domain/division/webster'
import type { Draft, KubeObject, UnknownObject } from '@/lib/kube/object'
import { sequentialUid } from '@/server/testing/start-env'

type ObservedFile = 'cluster' | 'demo' | 'works' | 'suspended' | 'rebalancer'

/** Returns the objects of one file under `observed/`. */
export function readObserved(file: ObservedFile): UnknownObject[] {
  return parseAllDocuments(readText(`${file}.yaml`)).map((document) => document.toJS() as UnknownObject)
}

/** Returns the recorded events without duplicates: `Type Reason Kind/name component: message`. */
export function readObservedEvents(): string[] {
  return readText('events.txt').trim().split('\n')
}

function readText(name: string): string {
  return readFileSync(new URL(`observed/${name}`, import.meta.url), 'utf8')
}

/** Generates UIDs for which the later of two equal clusters gets the odd replica, as in the recording. */
export function favouringLaterNames(): () => string {
  const next = sequentialUid()
  return () => {
    for (let uid = next(); ; uid = next()) if (prefersLaterName(uid)) return uid
  }
}

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Returns what `kubectl apply` sent for an object; undefined for objects that it did not create. */
export function appliedDraft<T extends KubeObject>(object: UnknownObject): Draft<T> | undefined {
  const text = object.metadata.annotations?.[APPLIED]
  if (text === undefined) return undefined
  const draft = JSON.parse(text) as Draft<KubeObject>
  const annotations = { ...draft.metadata.annotations, [APPLIED]: text }
  return { ...draft, metadata: { ...draft.metadata, annotations } } as unknown as Draft<T>
}

/** Fields that differ between runs. */
const PASSING: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'lastTransitionTime',
  'lastScheduledTime',
  'rescheduleTriggeredAt',
  'finishTime',
  'resourcetemplate.karmada.io/uid',
])

/** Labels and annotations that only this product sets. */
const OWN_MARK = /(^|\.)evenkeel\.io\//

/**
 * Returns the object without fields that differ between runs and without the product's own marks; permanent IDs become
 * `<id>`.
 */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !PASSING.has(name) && !OWN_MARK.test(name))
      .map(([name, inner]) => [name, name.endsWith('/permanent-id') ? '<id>' : comparable(inner)]),
  )
}
