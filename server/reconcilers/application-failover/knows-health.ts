import { hasHealthRule } from '@/lib/domain/interpreter'
import { resourceInterpreterCustomization } from '@/lib/kube/kinds'
import type { ObjectReference } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** Whether somebody knows what healthy means for the kind: the built-in rules, or somebody's script. */
export function knowsHealth({ informers }: ReconcilerContext, resource: Pick<ObjectReference, 'apiVersion' | 'kind'>): boolean {
  return hasHealthRule(resource) || informers.of(resourceInterpreterCustomization).list().some(({ spec: { target, customizations } }) =>
    target.apiVersion === resource.apiVersion && target.kind === resource.kind && customizations.healthInterpretation !== undefined)
}
