/** The differences that SPEC.md lists, as far as sequences meet them, by the subject under which it lists them. */
import { parse } from 'yaml'
import { deepEqual } from '@/lib/std/equal'
import { type Difference, settled } from './play'

interface Listed {
  subject: string
  /** True for a difference that is nothing but this one. */
  is(difference: Difference): boolean
}

/** Two texts that are equal but for some words. */
const butFor =
  (...words: RegExp[]): Listed['is'] =>
  ({ what, texts }) => {
    if (!what.startsWith('/message') || !texts) return false
    const [found, expected] = texts.map((text) =>
      words.reduce((rest, pattern) => rest.replaceAll(pattern, '_'), settled(text)),
    )
    return found === expected
  }

const at =
  (pattern: RegExp): Listed['is'] =>
  ({ what }) =>
    pattern.test(what)

const asked =
  (path: RegExp): Listed['is'] =>
  ({ step }) =>
    path.test(step.request?.path ?? '')

const both =
  (...tests: Listed['is'][]): Listed['is'] =>
  (difference) =>
    tests.every((is) => is(difference))

/** Names of Go types, which schemas do not have: of the struct around a field, and of a field that is no plain value. */
const GO_TYPES = [
  /(?<=Go struct field )\w+(?=\.)/g,
  /(?<=Go struct field \S+ of type )(?:\S*\.\w+|map\S+|struct \{\}|string)$/g,
]

/** The file of a scheme, which depends on how the reference was built. */
const SCHEME = /(?<= in scheme )"[^"]*"/g

const without = (text: string | undefined, words: readonly RegExp[]): string | undefined =>
  words.reduce((rest, pattern) => rest?.replaceAll(pattern, '_'), text)

/** The object that the reference repeats has the same fields and values, in another order. */
function repeatsTheSameObject({ what, texts }: Difference): boolean {
  if (!what.startsWith('/message') || !texts) return false
  const [found, expected] = texts.map((text) => {
    const [, quoted, rest] =
      /^ "" is invalid: patch: Invalid value: ("(?:[^"\\]|\\.)*")(.*)$/s.exec(settled(text)) ?? []
    return quoted === undefined ? undefined : { object: parsed(quoted), rest: without(rest, [...GO_TYPES, SCHEME]) }
  })
  return found?.object !== undefined && deepEqual(found, expected)
}

function parsed(quoted: string): unknown {
  try {
    return JSON.parse(JSON.parse(quoted) as string)
  } catch {
    return undefined
  }
}

/** The garbage collector still has to take a finalizer from, or to delete, the object that the reference shows. */
function wasLeaving({ step }: Difference): boolean {
  const { metadata, message } = (step.response?.body ?? {}) as {
    metadata?: { deletionTimestamp?: string; finalizers?: string[]; ownerReferences?: unknown }
    message?: string
  }
  if (message?.includes('no new finalizers can be added if the object is being deleted')) return true
  // Its owner is not there.
  if (metadata?.ownerReferences) return true
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).some((name) => !name.includes('/'))
}

const LISTED: readonly Listed[] = [
  { subject: 'object in a refused patch', is: repeatsTheSameObject },
  {
    subject: 'taint of new nodes',
    is: both(
      asked(/^\/api\/v1\/nodes(\/|$)/),
      at(/^\/(items\/\d+\/)?spec\/taints: |^\/metadata\/resourceVersion: |^: status 20\d instead of 409/),
    ),
  },
  {
    subject: 'namespace deletion',
    is: both(asked(/^\/api\/v1\/namespaces(\/[^/]+(\/(finalize|status))?)?$/), at(/^: status (404|201) instead of/)),
  },
  { subject: 'garbage collection', is: both(at(/^: status 404 instead of (200|422)/), wasLeaving) },
  { subject: 'address of the server', is: at(/^\/serverAddressByClientCIDRs\//) },
  { subject: 'kinds outside the lists', is: at(/^\/(paths|resources|groups)(\/\d+\/name)?: /) },
  { subject: 'hash of a version', is: at(/storageVersionHash/) },
  { subject: 'ephemeralcontainers, resize, proxy', is: asked(/\/(ephemeralcontainers|resize|proxy)$/) },
  { subject: 'words of a CEL error after its place', is: butFor(/(?<=<input>:\d+:\d+: )[^\n]*/g) },
  {
    subject: 'cost of CEL rules',
    is: ({ what, step }) =>
      /^: status 20\d instead of 422/.test(what)
      && JSON.stringify(step.response?.body ?? '').includes('estimated rule cost'),
  },
  { subject: 'place of a line in the refused update of a pod', is: butFor(/@@ -\d+,\d+ \+\d+,\d+ @@/g) },
  { subject: 'name of a type in a refused patch', is: butFor(/(?<=find api field in struct )\w+/g) },
  { subject: 'duplicate keys in YAML bodies', is: both(at(/^: status 400 instead of/), at(/key already set in map/)) },
  { subject: 'name of a Go type', is: butFor(...GO_TYPES) },
  { subject: 'file of a scheme', is: butFor(SCHEME) },
  {
    subject: 'first write of a Job or a claim',
    is: both(asked(/\/(jobs|persistentvolumeclaims)\/[^/]+(\/status)?$/), at(/^\/metadata\/resourceVersion: /)),
  },
  {
    subject: 'status.loadBalancer of a Service',
    is: both(asked(/\/services\/[^/]+\/status$/), at(/^: status 200 instead of 422/), ({ step }) =>
      JSON.stringify(step.response?.body ?? '').includes('status.loadBalancer.ingress: Forbidden'),
    ),
  },
  {
    subject: 'folding of texts in YAML',
    is: ({ what, texts }) => {
      if (!what.startsWith('/text') || !texts?.[0].startsWith('apiVersion: ')) return false
      const [found, expected] = texts.map((text): unknown => parse(settled(text)))
      return deepEqual(found, expected)
    },
  },
]

/** The subject in SPEC.md that covers a difference. */
export function listedAs(difference: Difference): string | undefined {
  return LISTED.find(({ is }) => is(difference))?.subject
}
