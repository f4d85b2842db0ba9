/** The differences that SPEC.md lists, as far as sequences meet them, by the subject under which it lists them. */
import { parse } from 'yaml'
import { deepEqual } from '@/lib/std/equal'
import { type Difference, settled } from './play'

interface Listed {
  subject: string
  /** True for a difference that is nothing but this one. */
  is(difference: Difference): boolean
}

const equalWith =
  (word: string) =>
  (...words: RegExp[]): Listed['is'] =>
  ({ what, texts }) => {
    if (!/^\/(message|details\/causes)/.test(what) || !texts) return false
    const [found, expected] = texts.map((text) =>
      words.reduce((rest, pattern) => rest.replaceAll(pattern, word), settled(text)),
    )
    return found === expected
  }

/** Two texts that are equal up to what a pattern finds in both. */
const equalUpTo =
  (pattern: RegExp): Listed['is'] =>
  ({ what, texts }) => {
    if (!/^\/(message|details\/causes)/.test(what) || !texts) return false
    const [found, expected] = texts.map((text) => settled(text).split(pattern))
    return found!.length > 1 && expected!.length > 1 && found![0] === expected![0]
  }

/** Two texts that are equal but for some words. */
const butFor = equalWith('_')

/** Two texts that are equal without some words, which one of them may lack. */
const without = equalWith('')

const at =
  (pattern: RegExp): Listed['is'] =>
  ({ what }) =>
    pattern.test(what)

/** A group that a sequence defines. Another sequence may define it at the same time. */
const isOfSequence = (group: string): boolean => group.endsWith('.example.com')

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
  /(?<=Go struct field \S+ of type )(?:\S*\.\w+|map\S+|struct \{\}|(?:\[\])?struct|string)$/g,
]

/** The file of a scheme, which depends on how the reference was built. */
const SCHEME = /(?<= in scheme )"[^"]*"/g

/** A type that a value of a strategic patch cannot become. */
const CONVERTED = /(?<=cannot convert \w+ to )[\w.]+$/g

/** What a reader of YAML says of a text, which is in its own words. */
const YAML_WORDS = /(?<= yaml: ).*$/gs

/** A document whose message names no file and no type. */
function withoutSchemes(document: unknown): unknown {
  const { message, ...rest } = (document ?? {}) as { message?: unknown }
  if (typeof message !== 'string') return document
  return {
    ...rest,
    message: [SCHEME, YAML_WORDS, ...GO_TYPES].reduce((text, words) => text.replaceAll(words, '_'), message),
  }
}

/** A rule that Karmada's roles add to the roles of users. */
const OWN_RULE = /^\{APIGroups:\["(?:[^"]*karmada\.io|multicluster\.x-k8s\.io)"\]/

/** What a strategic merge patch can be refused for while it is merged. */
const MERGE_FAULT =
  /^(map: .* does not contain declared merge key|invalid patch format of retainKeys|unknown patch type: |list element types are not identical|lists of lists|merging lists cannot|merging an object in json|unable to find api field|The order in patch list:|expected a \[\]interface)/s

/** What an estimate of the costs of CEL rules adds to a refusal. */
const COST =
  /^Forbidden: (estimated (rule|messageExpression) cost|contributed to estimated rule cost|x-kubernetes-validations estimated rule cost)/

const OLD_ANNOTATIONS = /container\.apparmor\.security\.beta|scheduler\.alpha\.kubernetes\.io\/tolerations/

/** A field of bytes that a rule compares with a text. */
const BYTES = /'\(bytes, string\)'/

/** A refusal that lacks such causes and is the same otherwise. */
const withoutCauses =
  (pattern: RegExp): Listed['is'] =>
  ({ what, texts, step }) => {
    const body = step.response?.body as { details?: { causes?: { field?: string; message: string }[] } } | undefined
    const causes = body?.details?.causes ?? []
    const more = causes
      .filter(({ message }) => pattern.test(message))
      .map(({ field, message }) => `${field}: ${message}`)
    if (!/^\/(message|details\/causes)/.test(what) || !texts || more.length === 0) return false
    const rest = more.reduce((text, cause) => text.replace(`, ${cause}`, '').replace(`${cause}, `, ''), texts[1])
    const isSingle = causes.length - more.length === 1
    return texts[0] === (isSingle ? rest.replace(/ is invalid: \[(.*)\]$/s, ' is invalid: $1') : rest)
  }

/** The beginning of an object in YAML, whose fields are sorted. */
const YAML_OBJECT = /^[a-zA-Z]+:[ \n]/

const writesScale = ({ method, path }: { method: string; path: string }): boolean =>
  path.endsWith('/scale') && (method === 'PUT' || method === 'PATCH')

/** True for a list that was sent empty and is answered as null, at the same place. */
function isEmptied(sent: unknown, answered: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return false
  if (Array.isArray(sent)) return sent.length === 0 && answered === null
  const fields = (answered ?? {}) as Record<string, unknown>
  return Object.entries(sent).some(([name, child]) => isEmptied(child, fields[name]))
}

const writesStatus = ({ method, path }: { method: string; path: string }): boolean =>
  path.endsWith('/status') && method !== 'GET'

const aggregates = (body: unknown): boolean => JSON.stringify(body ?? '').includes('aggregationRule')

const LISTED: readonly Listed[] = [
  {
    subject: 'namespace deletion',
    is: both(
      asked(/^\/api\/v1\/namespaces(\/[^/]+(\/(finalize|status))?)?$/),
      at(/^: status (404|201 instead of 409)/),
    ),
  },
  {
    subject: 'namespace deletion',
    is: both(
      asked(/^\/api\/v1\/namespaces\/[^/]+(\/finalize)?$/),
      at(/^\/status\/conditions: \[\{"type":"NamespaceDeletion/),
    ),
  },
  { subject: 'address of the server', is: at(/^\/(serverAddressByClientCIDRs\/|jwks_uri: )/) },
  {
    subject: '/version',
    is: both(asked(/^\/version\/?$/), at(/^\/(git|build|go|compiler|platform|emulation|minCompat)/)),
  },
  { subject: 'names of single health checks', is: asked(/^\/(healthz|livez|readyz)\/\w/) },
  { subject: 'YAML bodies of several documents', is: at(/Source contains multiple documents/) },
  { subject: 'kinds outside the lists', is: at(/^\/(paths|resources|groups)(\/\d+\/name)?: /) },
  {
    subject: 'owners of a scale that is written without changing it',
    is: both(at(/^\/metadata\/resourceVersion: /), ({ step, earlier }) =>
      [...earlier, step].some(({ request }) => request !== undefined && writesScale(request)),
    ),
  },
  {
    subject: 'owners of a scale that is written without changing it',
    is: both(asked(/\/scale$/), without(/,\\*"managedFields\\*":\[.*?\}\]/g)),
  },
  {
    subject: 'null in a list of a strategic merge patch',
    is: both(at(/^: status 400 instead of 500: .*a list that is merged has a null element/s), ({ step }) =>
      /strategic/.test(String(step.request?.headers?.['Content-Type'])),
    ),
  },
  {
    subject: 'owners that another version cannot read',
    is: both(at(/^\/metadata\/managedFields/), asked(/^\/apis\/[^/]+\.example\.com\//), ({ step }) =>
      JSON.stringify(step.response?.body ?? '').includes('"before-first-apply"'),
    ),
  },
  {
    subject: 'owner of an empty list that is kept as null',
    is: both(at(/^\/metadata\/(resourceVersion|managedFields)/), ({ step, earlier }) =>
      [...earlier, step].some(({ request }) => isEmptied(request?.body, step.response?.body)),
    ),
  },
  {
    subject: 'kinds outside the lists',
    is: ({ what, texts, step }) => {
      if (!what.startsWith('/text') || !texts || !/^\/apis?\/?$/.test(step.request?.path ?? '')) return false
      const [found, expected] = texts.map(
        (text) => (parse(text) as { groups?: { name: string }[] } | null)?.groups ?? [],
      )
      const shared = ([one = [], other = []]: (typeof found)[]): typeof found =>
        one.filter(({ name }) => !isOfSequence(name) && other.some((group) => group.name === name))
      return deepEqual(shared([found, expected]), shared([expected, found]))
    },
  },
  {
    subject: '`includeObject` of a table',
    is: both(
      at(/^: status 400 instead of/),
      ({ texts }) => texts?.[0].includes('includeObject: Invalid value') ?? false,
    ),
  },
  { subject: 'ComponentStatus', is: both(asked(/\/componentstatuses$/), at(/^\/items: 0 items/)) },
  {
    subject: 'annotations of pods for AppArmor and for tolerations',
    is: ({ step }) => OLD_ANNOTATIONS.test(JSON.stringify(step.request?.body ?? '')),
  },
  {
    subject: 'who reads /.well-known',
    is: both(asked(/^\/(\.well-known|openid\/v1)\//), at(/^: status (403 instead of 200|200 instead of 403)/)),
  },
  {
    subject: 'null applied to a field that another version lacks',
    is: both(
      asked(/^\/apis\/[^/]+\.example\.com\//),
      at(/^: status 422 instead of 500/),
      ({ texts }) => texts?.[1].includes('field not declared in schema') ?? false,
    ),
  },
  {
    subject: 'generation of a custom object that loses fields',
    is: both(
      asked(/^\/apis\/[^/]+\.example\.com\//),
      at(/^\/metadata\/generation: /),
      ({ step }) => step.request?.headers?.['Content-Type'] === 'application/apply-patch+yaml',
    ),
  },
  { subject: 'hash of a version', is: at(/storageVersionHash/) },
  { subject: 'ephemeralcontainers, resize, proxy', is: asked(/\/(ephemeralcontainers|resize|proxy)$/) },
  {
    subject: 'annotations of a HorizontalPodAutoscaler',
    is: both(
      asked(/\/horizontalpodautoscalers(\/|$)/),
      at(/\/metadata\/annotations(\/| is missing: \{")autoscaling\.alpha\.kubernetes\.io/),
    ),
  },
  { subject: 'words of a CEL error after its place', is: butFor(/(?<=<input>:\d+:\d+: )[^\n]*/g) },
  {
    subject: 'words of a CEL error after its place',
    // What cannot be parsed ends at another place, and only the first of several errors is told.
    is: equalUpTo(/compilation failed: ERROR: <input>/),
  },
  {
    subject: 'addresses and node ports of Services',
    is: both(asked(/\/services(\/|$)/), at(/^(\/items\/\d+)?\/spec\/ports\/\d+\/nodePort: 3\d{4} instead of 3\d{4}$/)),
  },
  {
    subject: 'rules of aggregated ClusterRoles',
    is: both(
      asked(/\/clusterroles(\/|$)/),
      at(/^(\/items\/\d+|\/rows\/\d+\/object)?\/(rules|metadata\/resourceVersion)(: | should)/),
      ({ step, earlier }) => [...earlier, step].some(({ request }) => aggregates(request?.body)),
    ),
  },
  {
    subject: 'cost of CEL rules',
    is: ({ what, step }) =>
      /^: status (20\d|409) instead of 422/.test(what)
      && JSON.stringify(step.response?.body ?? '').includes('estimated rule cost'),
  },
  { subject: 'cost of CEL rules', is: withoutCauses(COST) },
  { subject: 'texts of the format byte in CEL', is: withoutCauses(BYTES) },
  {
    subject: 'texts of the format byte in CEL',
    is: both(at(/^: status 201 instead of 422/), ({ step }) => BYTES.test(JSON.stringify(step.response?.body))),
  },
  { subject: 'name of a type in a refused patch', is: butFor(/(?<=find api field in struct )\w+/g) },
  {
    subject: 'bootstrap roles',
    is: ({ what, texts }) => {
      if (!what.startsWith('/message') || !texts?.every((text) => text.includes('not currently held:'))) return false
      const [found, expected] = texts.map((text) =>
        settled(text)
          .split('\n')
          .filter((line) => !OWN_RULE.test(line)),
      )
      return deepEqual(found, expected)
    },
  },
  {
    subject: 'namespace deletion',
    is: ({ texts: [found = '', expected = ''] = [] }) =>
      /^namespaces "[^"]+" not found$/.test(found) && expected.endsWith('because it is being terminated'),
  },
  {
    subject: 'several faults in one strategic merge patch',
    is: ({ step, texts }) =>
      step.request?.headers?.['Content-Type'] === 'application/strategic-merge-patch+json'
      && texts !== undefined
      && texts.every((text) => MERGE_FAULT.test(text)),
  },
  {
    subject: 'duplicate keys in YAML bodies',
    is: ({ what, texts }) =>
      /^: status 400 instead of.*key already set in map/s.test(what)
      || / instead of .*line \d+: key .* already set in map/.test(what)
      || /: yaml: line \d+: key already set in map/.test(texts?.[0] ?? ''),
  },
  { subject: 'name of a Go type', is: butFor(...GO_TYPES, CONVERTED) },
  {
    subject: 'address of the server, and of its keys',
    is: both(asked(/^\/openid\/v1\/jwks$/), at(/^\/keys\/\d+\/(kid|x|y): /)),
  },
  {
    subject: 'kinds outside the lists',
    is: both(
      asked(/^\/apis?(\/|$)/),
      at(/^\/items(\/\d+\/versions\/\d+\/resources(\/\d+\/subresources)?)?: \d+ items instead of/),
    ),
  },
  { subject: 'kinds outside the lists', is: both(asked(/^\/apis?(\/[^/]+(\/[^/]+)?)?\/?$/), at(/^\/text: "k8s/)) },
  { subject: 'file of a scheme', is: butFor(SCHEME) },
  {
    subject: 'first write of a Job or a claim',
    is: both(
      asked(/\/(jobs|persistentvolumeclaims)(\/[^/]+(\/status)?)?\/?$/),
      at(/^((\/rows\/\d+\/object|\/items\/\d+)?\/metadata\/resourceVersion: |: status (200|422) instead of 409: )/),
    ),
  },
  {
    subject: 'first write of a Job or a claim',
    is: both(
      asked(/\/replicationcontrollers\/[^/]+(\/status)?$/),
      at(/^(\/rows\/\d+\/object)?\/metadata\/resourceVersion: /),
      ({ step, earlier }) => [...earlier, step].some(({ request }) => request !== undefined && writesStatus(request)),
    ),
  },
  {
    subject: 'status.loadBalancer of a Service',
    is: both(asked(/\/services\/[^/]+\/status$/), at(/^(: status 200 instead of 422|\/message: )/), ({ step }) =>
      JSON.stringify(step.response?.body ?? '').includes('status.loadBalancer.ingress: Forbidden'),
    ),
  },
  {
    subject: 'folding of texts in YAML',
    is: ({ what, texts }) => {
      if (!what.startsWith('/text') || !texts?.every((text) => YAML_OBJECT.test(text))) return false
      const [found, expected] = texts.map((text) => withoutSchemes(parse(settled(text))))
      return deepEqual(found, expected)
    },
  },
]

/** The subject in SPEC.md that covers a difference. */
export function listedAs(difference: Difference): string | undefined {
  return LISTED.find(({ is }) => is(difference))?.subject
}
