/** Compares the objects that tests use with those that helm itself renders, where `HELM` names its program. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { EVERYTHING } from './everything'
import { renderChart } from './render'

const CHART = 'deploy/chart'
const helm = process.env.HELM ?? ''

interface Rendered {
  kind: string
  metadata: { namespace?: string; name: string }
}

function renderedByHelm(values: object): Rendered[] {
  const flags = ['--namespace', 'evenkeel-system', '--kube-version', '1.36.0', '--values', '-']
  const text = execFileSync(helm, ['template', 'evenkeel', CHART, ...flags], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  })
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? [])
}

/** In an order of its own: helm sorts by kind. */
const sorted = (objects: readonly Rendered[]): unknown[] =>
  objects
    .map((object) => ({
      key: `${object.kind} ${object.metadata.name}`,
      object: JSON.parse(JSON.stringify(object)) as object,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))

describe.runIf(helm !== '')('helm', () => {
  test.each([
    ['by default', {}],
    ['with the role', { rbac: { create: true, impersonate: { groups: ['team-a'], users: ['alice'] } } }],
    ['with controllers', { rbac: { create: true }, reconcilers: 'rebalance-plan,failback,queue' }],
    ['with everything', EVERYTHING],
  ])('renders the same objects %s', (_what, values) => {
    const ours = Object.values(renderChart(CHART, values)).flat() as unknown as Rendered[]
    expect(sorted(renderedByHelm(values))).toEqual(sorted(ours))
  })

  test.each([
    ['several replicas without shared sessions', { replicas: 2 }],
    ['a certificate without an issuer', { webhook: { certSecretName: 'cert', certManager: { enabled: true } } }],
    ['a route without a gateway', { gateway: { enabled: true } }],
    ['several replicas whose webhooks have no certificate', { ...EVERYTHING, webhook: { enabled: true } }],
  ])('refuses %s', (_what, values) => {
    expect(() => renderedByHelm(values)).toThrow(/values don't meet the specifications/)
  })
})
