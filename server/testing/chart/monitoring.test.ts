import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '@/server/telemetry/metrics'
import { renderChart } from './render'

interface Rules {
  groups: { rules: { alert: string; expr: string; labels: { severity: string } }[] }[]
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

const rules = parse(readFileSync('deploy/chart/monitoring/rules.yaml', 'utf8')) as Rules
const dashboard = JSON.parse(readFileSync('deploy/chart/monitoring/dashboard.json', 'utf8')) as Dashboard

const expressions = [
  ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

/** Series of each metric as a scrape has them, with their labels. */
async function scraped(): Promise<Map<string, Set<string>>> {
  const metrics = await createMetrics().registry.getMetricsAsJSON()
  const definitions = createMetrics().registry.getMetricsAsArray() as unknown as {
    name: string
    labelNames: string[]
  }[]
  const labelsOf = new Map(definitions.map(({ name, labelNames }) => [name, labelNames]))
  return new Map(
    metrics.flatMap(({ name, type }) => {
      const labels = labelsOf.get(name) ?? []
      if (String(type) !== 'histogram') return [[name, new Set(labels)] as const]
      return [
        [`${name}_bucket`, new Set([...labels, 'le'])] as const,
        [`${name}_sum`, new Set(labels)] as const,
        [`${name}_count`, new Set(labels)] as const,
      ]
    }),
  )
}

test.each(expressions)('%s reads metrics and labels that exist: %s', async (_, expression) => {
  const series = await scraped()
  const names = expression.match(/\b(?:evenkeel|process|nodejs)_\w+/g) ?? []
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !series.has(name))).toEqual([])
  const known = new Set(names.flatMap((name) => [...series.get(name)!]))
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  const selected = [...expression.matchAll(/[{,]\s*(\w+)(?:=|!=|=~|!~)"/g)].map(([, label]) => label!)
  expect([...grouped, ...selected].filter((label) => !known.has(label))).toEqual([])
})

test('the chart has the same rules and the same dashboard', () => {
  const objects = renderChart('deploy/chart', {
    monitoring: { rules: { enabled: true, labels: { release: 'p' } }, dashboard: { enabled: true } },
  })
  expect(objects['prometheusrule.yaml']).toMatchObject([{ metadata: { labels: { release: 'p' } }, spec: rules }])
  const [map] = objects['dashboard.yaml'] as [{ metadata: { labels: object }; data: Record<string, string> }]
  expect(JSON.parse(map.data['evenkeel.json']!)).toEqual(dashboard)
  expect(map.metadata.labels).toEqual({ grafana_dashboard: '1' })
})

test('alerts have names of their own and a severity', () => {
  const all = rules.groups.flatMap((group) => group.rules)
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length)
  expect(all.filter(({ labels }) => !['info', 'warning', 'critical'].includes(labels.severity))).toEqual([])
})
