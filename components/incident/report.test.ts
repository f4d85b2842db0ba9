import { describe, expect, test } from 'vitest'
import { createText } from '@/lib/messages'
import { catalogue } from '@/lib/messages/en'
import type { IncidentRecord } from '@/lib/view/failover-model'
import { replayOf } from '@/lib/view/incident/replay'
import type { JournalEntry } from '@/lib/view/journal'
import { htmlReport, markdownReport } from './report'

const text = createText({ locale: 'en', catalogue })
const EVIL = '<script>alert(1)</script>"\'&|*_[x](javascript:1)'
const LONG = 'x'.repeat(253)
const START = Date.parse('2026-11-21T09:00:00.000Z')
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

function replayWith(workload: string, refusal: string, cluster = 'm1') {
  const entries = [
    { at: at(0), what: 'ready', cluster, after: { status: 'False', reason: '', message: '' } },
    { at: at(0), what: 'replicas', workload, cluster, after: { placed: 2, ready: 2, desired: 2 } },
    { at: at(5), what: 'taint', cluster, after: { key: 'k', effect: 'NoExecute' } },
    { at: at(9), what: 'task', workload, cluster, after: { reason: 'r', producer: 'p', replaced: false } },
    { at: at(9), what: 'replicas', workload, cluster, after: { placed: 0, ready: 0, desired: 2 } },
    { at: at(9), what: 'scheduled', workload, after: { status: 'False', reason: 'NoClusterFit', message: refusal } },
    { at: at(20), what: 'ready', cluster, after: { status: 'True', reason: '', message: '' } },
  ].map((entry, index) => ({ seq: index + 1, ...entry }) as JournalEntry)
  const record: IncidentRecord = {
    cluster,
    since: at(0),
    endedAt: at(20),
    now: at(30),
    readiness: { [cluster]: 'True' },
    partial: false,
    truncated: false,
    entries,
  }
  return replayOf(record)
}

describe('the report', () => {
  const replay = replayWith('apps~v1/Deployment/shop/web', '0/3 clusters: no room')

  test('contains events, times and losses, in both formats', () => {
    for (const report of [htmlReport(text, replay, replay.now), markdownReport(text, replay, replay.now)]) {
      expect(report).toContain('m1 was not ready for 20 s, from 09:00:00 to 09:00:20.')
      expect(report).toContain('At worst 0 of 2 replicas were ready, at 09:00:00.')
      expect(report).toContain('1 workload had no ready replica, for 20 s.')
      expect(report).toContain('Tainted NoExecute')
      expect(report).toContain('shop/web')
      expect(report).toContain('0/3 clusters: no room')
    }
  })

  test('executes and loads nothing, for any names and messages', () => {
    const evil = replayWith(`apps~v1/Deployment/shop/${EVIL}`, EVIL, EVIL)
    const html = htmlReport(text, evil, evil.now)
    expect(html).not.toMatch(/<script|javascript:1"|\son\w+=|<link|<img|<iframe|src=|href=/i)
    expect(html).toContain('&lt;script&gt;')
    const markdown = markdownReport(text, evil, evil.now)
    expect(markdown).not.toContain('<script')
    expect(markdown).not.toContain('[x](')
    const rows = markdown.split('\n').filter((line) => line.includes('No place'))
    expect(rows).toHaveLength(1)
    for (const line of rows) expect(line.match(/(?<!\\)\|/g)).toHaveLength(6)
  })

  test('bears names of 253 characters', () => {
    const long = replayWith(`apps~v1/Deployment/shop/${LONG}`, '', LONG)
    expect(htmlReport(text, long, long.now)).toContain(LONG)
  })
})
