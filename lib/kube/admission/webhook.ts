/** How a webhook's answer reaches the client, and how a webhook sees an object. */
import { kubeError, type KubeError } from '../errors'
import { encodeLikeGo, fillRequired, type PointerFields } from '../go-encoding'
import type { UnknownObject } from '../object'
import type { Schema } from '../schema'
import { findMismatch } from '../schema-mismatch'

/** The refusal (403) of a webhook. */
export function denied(webhook: string, reason: string): KubeError {
  return kubeError(403, 'Forbidden', `admission webhook "${webhook}" denied the request: ${reason}`)
}

/** Optional fields of Karmada's kinds in which zero and false mean something. */
const pointers: PointerFields = new Set([
  'blockPredecessorSeconds',
  'blockOwnerDeletion',
  'controller',
  'delaySeconds',
  'deletionGracePeriodSeconds',
  'dispatching',
  'gracePeriodSeconds',
  'preserveResourcesOnDeletion',
  'priority',
  'gracefulEvictionTasks.replicas',
  'scheduling',
  'suppressDeletion',
  'suspendDispatching',
  'tolerationSeconds',
])

/**
 * Returns the object as a webhook written in Go reads and writes it: without empty optional fields, with the zero value
 * in missing required fields, and with unchanged status and identity. Throws (400) when a value has the wrong type.
 */
export function throughWebhook(object: UnknownObject, schema: Schema, webhook: string): UnknownObject {
  const { metadata, status, ...content } = object
  const mismatch = findMismatch(content, schema, object.kind)
  if (mismatch) throw kubeError(400, '', `admission webhook "${webhook}" denied the request: ${mismatch}`)
  const encoded = fillRequired(encodeLikeGo(content, schema, pointers), schema) as UnknownObject
  return { ...encoded, metadata, ...(status !== undefined && { status }) }
}
