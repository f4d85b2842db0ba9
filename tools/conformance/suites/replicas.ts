/** Replicas and requirements of templates, and revised numbers, against the real interpreters. */
import { hasReviseRule, interpretReplicas, type Manifest, reviseReplicas } from '@/lib/domain/interpreter'
import type { UnknownObject } from '@/lib/kube/object'
import { attempt } from '../attempt'
import { differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  object: UnknownObject
  replica?: number
}

interface Output {
  replicas?: number
  replicaRequirements?: unknown
  object?: unknown
  error?: string
}

function judge({ name, input, output }: Case<Input, Output>): string | undefined {
  const actual = attempt<object>(() => (name.startsWith('replicas/revise/') ? revise(input) : get(input)))
  return differs('answer', actual, output.error === undefined ? output : { error: true })
}

function get({ object }: Input): object {
  const answer = interpretReplicas(object, { likeUpstream: true })
  if (!answer) throw new Error('no rule')
  return { replicas: answer.replicas, replicaRequirements: answer.requirements ?? null }
}

function revise({ object, replica }: Input): object {
  const manifest: Manifest = object
  if (!hasReviseRule(manifest)) throw new Error('no rule')
  return { object: reviseReplicas(manifest, replica ?? 0) }
}

export const suite: Suite = { name: 'replicas', judge: judge as Judge }
