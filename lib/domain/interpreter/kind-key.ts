/** Finds the rule of a kind. Rules are keyed by `apiVersion/Kind`, so unlisted API versions have none. */
import type { KubeObject } from '../../kube/object'

/** Rules by `apiVersion/Kind`. */
export type RulesByKind<R> = Readonly<Record<string, R>>

/** Returns the key of an object's kind, for instance `apps/v1/Deployment`. */
export function kindKey(object: Pick<KubeObject, 'apiVersion' | 'kind'>): string {
  return `${object.apiVersion}/${object.kind}`
}

/** Returns the rule for the kind of an object, if there is one. */
export function ruleFor<R>(rules: RulesByKind<R>, object: Pick<KubeObject, 'apiVersion' | 'kind'>): R | undefined {
  const key = kindKey(object)
  return Object.hasOwn(rules, key) ? rules[key] : undefined
}
