/** CEL: rules of definitions and match conditions of webhooks, and values that make them work. */
import type { Rng } from '@/lib/std/rng'
import { breakText, chance, pick } from '../broken/mutate'
import { request, type Step, TENANT, type WaitStep } from '../steps'
import type { Sequence, Target } from '../target'
import { nativeKeys, size, times } from '../text'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

export const cel: Target = {
  name: 'cel',
  generate: (rng, name) => (chance(rng, 0.6) ? matchConditions(rng, name) : rulesOfDefinition(rng, name)),
}

function matchConditions(rng: Rng, name: string): Sequence {
  const conditions = times(1 + rng.below(3), (n) => ({
    name: `c${n}`,
    expression: expression(rng, pick(rng, ['object.data', 'object.metadata.name', 'request', 'object'])),
  }))
  return {
    name,
    steps: [
      request('POST', ADMISSION, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name },
        webhooks: [
          {
            name: 'fuzz.fuzz.test',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            failurePolicy: 'Ignore',
            timeoutSeconds: 1,
            clientConfig: { url: 'https://127.0.0.1:1/hook' },
            objectSelector: { matchLabels: { fuzz: name } },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
            matchConditions: conditions,
          },
        ],
      }),
      request(
        'POST',
        CONFIG_MAPS,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { fuzz: name } }, data: data(rng) },
        { as: TENANT },
      ),
    ],
    cleanup: [request('DELETE', `${ADMISSION}/${name}`), request('DELETE', `${CONFIG_MAPS}/${name}`)],
  }
}

function rulesOfDefinition(rng: Rng, name: string): Sequence {
  const plural = `${name.replaceAll(/[^a-z0-9]/g, '')}s`
  const group = 'fuzz.test'
  const path = `/apis/${group}/v1/namespaces/default/${plural}`
  const established: WaitStep = {
    do: 'wait',
    path: `${DEFINITIONS}/${plural}.${group}`,
    for: { text: '"Established"' },
  }
  return {
    name,
    steps: [
      request('POST', DEFINITIONS, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, singular: plural.slice(0, -1), kind: `K${plural}`, listKind: `K${plural}List` },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec: specSchema(rng) } } },
            },
          ],
        },
      }),
      ...(chance(rng, 0.8) ? [established] : []),
      ...times(2, (n): Step =>
        request(
          'POST',
          path,
          {
            apiVersion: `${group}/v1`,
            kind: `K${plural}`,
            metadata: { name: `o${n}` },
            spec: { text: text(rng), list: times(size(rng, 2000), (at) => `e${at}`), map: data(rng), n: rng.below(9) },
          },
          { as: TENANT },
        ),
      ),
    ],
    cleanup: [request('DELETE', `${DEFINITIONS}/${plural}.${group}`)],
  }
}

function specSchema(rng: Rng): object {
  return {
    type: 'object',
    'x-kubernetes-validations': times(1 + rng.below(4), () => ({
      rule: expression(rng, pick(rng, ['self.text', 'self.list', 'self.map', 'self', 'oldSelf.text'])),
      message: 'm',
    })),
    properties: {
      text: {
        type: 'string',
        ...(chance(rng, 0.7) && { maxLength: 100_000 }),
        ...(chance(rng, 0.3) && { pattern: pattern(rng) }),
      },
      list: { type: 'array', maxItems: 5000, items: { type: 'string', maxLength: 50 } },
      map: { type: 'object', maxProperties: 5000, additionalProperties: { type: 'string', maxLength: 5000 } },
      n: { type: 'integer' },
    },
  }
}

const pattern = (rng: Rng): string =>
  pick(rng, ['(a+)+$', '^(a|a)*$', '(.*)*x', '(?=a)b', '[', 'a{1000}{1000}', '\\p{L}+', '(x+x+)+y'])

const data = (rng: Rng): Record<string, string> =>
  Object.fromEntries(times(1 + size(rng, 300), (n) => [`k${n}`, 'a'.repeat(size(rng, 300))]))

const text = (rng: Rng): string => pick(rng, ['a', 'ab', ' '])[0]!.repeat(size(rng, 60_000)) + pick(rng, ['', '!', 'b'])

/** Grows out of `root`: chains, macros within macros, and what the type checker must refuse. */
function expression(rng: Rng, root: string): string {
  const grown = chance(rng, 0.5) ? chain(rng, root) : macro(rng, { root, depth: 1 + rng.below(5) })
  return chance(rng, 0.12) ? breakText(rng, grown).slice(0, 5000) : grown
}

function chain(rng: Rng, root: string): string {
  const link = pick(rng, [
    '.replace("a", "aaaaaaaaaaaaaaaa")',
    '.replace("", "bb")',
    '.split("")',
    '.upperAscii()',
    ' + ""',
    '.matches("(a+)+$")',
    '.substring(0)',
    '.map(x, x)',
    '.filter(x, true)',
    '.format([1])',
    '[0]',
    `.${pick(rng, nativeKeys)}`,
    '.join(",")',
    '.sort()',
    '.reverse()',
    '.trim()',
  ])
  const links = link.repeat(size(rng, 400))
  return pick(rng, [
    `${root}${links}.size() > 0`,
    `${root}${links} == ""`,
    `has(${root}${links})`,
    `!(${root}${links} in [""])`,
  ])
}

function macro(rng: Rng, { root, depth }: { root: string; depth: number }): string {
  if (depth === 0)
    return pick(rng, [
      'true',
      'x0 != ""',
      `${root} == ${root}`,
      '1/0 == 1',
      'x0.matches("(a+)+b")',
      '"a".matches(x0)',
      'duration("1s") > duration("0s")',
      'quantity("1Gi").isGreaterThan(quantity("1"))',
    ])
  const inner = macro(rng, { root, depth: depth - 1 })
  const over = pick(rng, [root, '[1,2,3,4,5,6,7,8,9,10]', `${root}.map(y, y)`])
  const x = `x${depth - 1}`
  return pick(rng, [
    `${over}.all(${x}, ${inner})`,
    `${over}.exists(${x}, ${inner})`,
    `${over}.filter(${x}, ${inner}).size() > 0`,
    `${over}.map(${x}, ${inner}).size() > 0`,
    `(${inner}) && (${inner})`,
    `(${inner}) ? true : (${inner})`,
    `!(${inner})`,
  ])
}
