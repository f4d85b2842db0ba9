import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KubectlServer, startKubectlServer } from '../testing/kubectl'

let running: KubectlServer
let kubectl: KubectlServer['kubectl']
beforeAll(async () => {
  running = await startKubectlServer()
  ;({ kubectl } = running)
})
afterAll(() => running.close())

const size = { type: 'integer', minimum: 1, default: 3, description: 'How large the widget is.' }
const schema = {
  openAPIV3Schema: {
    type: 'object',
    description: 'Something small.',
    properties: { spec: { type: 'object', properties: { size, color: { type: 'string', enum: ['red', 'blue'] } } } },
  },
}
const additionalPrinterColumns = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
]
const definition = stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'], categories: ['all'] },
    versions: [
      { name: 'v1', served: true, storage: true, schema, additionalPrinterColumns },
      { name: 'v1beta1', served: true, storage: false, schema, deprecated: true },
    ],
  },
})
const widget = (name: string, version: string, spec: object): string =>
  stringify({ apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name }, spec })
const words = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/))

test(
  'kubectl defines a kind, uses it in two versions, explains it and takes it away',
  { timeout: 60_000 },
  async () => {
    expect(await kubectl(['apply', '-f', '-'], definition)).toContain(
      'customresourcedefinition.apiextensions.k8s.io/widgets.example.com created',
    )
    await kubectl(['wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=10s'])
    expect(await kubectl(['apply', '-f', '-'], widget('a', 'v1', { color: 'red' }))).toBe(
      'widget.example.com/a created\n',
    )
    expect(await kubectl(['apply', '-f', '-'], widget('b', 'v1beta1', { size: 7 }))).toContain(
      'Warning: example.com/v1beta1 Widget is deprecated',
    )
    expect(words(await kubectl(['get', 'wi'])).map((row) => row.slice(0, 2))).toEqual([
      ['NAME', 'SIZE'],
      ['a', '3'],
      ['b', '7'],
    ])
    expect(words(await kubectl(['get', 'wi', '-o', 'wide']))[1]?.slice(0, 3)).toEqual(['a', '3', 'red'])
    expect(await kubectl(['get', 'all'])).toContain('widget.example.com/a')
    expect(await kubectl(['get', 'widgets.v1beta1.example.com', 'a', '-o', 'jsonpath={.apiVersion}'])).toContain(
      'example.com/v1beta1',
    )
    await expect(kubectl(['apply', '-f', '-'], widget('c', 'v1', { colour: 'red' }))).rejects.toThrow(
      'unknown field "spec.colour"',
    )
    await expect(kubectl(['apply', '-f', '-'], widget('c', 'v1', { color: 'green' }))).rejects.toThrow(
      'Unsupported value: "green"',
    )
    expect(await kubectl(['explain', 'widget.spec.size'])).toContain('How large the widget is.')
    expect(await kubectl(['explain', 'widget', '--recursive'])).toContain('color')
    await kubectl(['delete', 'crd', 'widgets.example.com'])
    await expect(kubectl(['get', 'widgets'])).rejects.toThrow('the server could not find the requested resource')
  },
)

test.each([
  ['crd.spec.versions', 'versions\t<[]'],
  ['crd.spec.versions.schema.openAPIV3Schema.properties', 'properties\t<map[string]'],
  ['deployment.spec.template.spec.containers.image', 'The image that the container runs.'],
  ['propagationpolicy.spec.placement', 'Which clusters are chosen'],
  ['pp --recursive', 'clusterAffinity'],
])('kubectl explains %s', { timeout: 30_000 }, async (what, expected) => {
  const text = await kubectl(['explain', ...what.split(' ')])
  expect(text.replaceAll(/FIELD: (\S+) /g, '$1\t')).toContain(expected)
})
