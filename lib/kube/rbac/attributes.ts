/** Attributes of an authorization request. */

/** The user. RBAC uses name and groups only. */
export interface Identity {
  user: string
  /** Distinguishes users with the same name at different times. */
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** A verb on a resource. Absent parts are empty texts, as upstream. */
export interface ResourceAttributes {
  verb: string
  group: string
  version: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

/** A verb, which is the method in small letters, on a path that is no resource. */
export interface PathAttributes {
  verb: string
  path: string
}

export type Attributes = ResourceAttributes | PathAttributes

export function isPathRequest(attributes: Attributes): attributes is PathAttributes {
  return 'path' in attributes
}

/** `pods`, or `pods/eviction`. */
export function combinedResource({ resource, subresource }: ResourceAttributes): string {
  return subresource === '' ? resource : `${resource}/${subresource}`
}
