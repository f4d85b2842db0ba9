import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  holdPatch,
  kubectlPatch,
  priorityPatch,
  releasePatch,
  resumePatch,
  suspendPatch,
  unsuspendPatch,
} from './queue-patches'

const line = { namespace: 'shop', name: 'line' }
const binding = { namespace: 'shop', name: 'web-deployment' }
const requester = { who: 'rae', at: '2026-11-21T18:00:00Z' }

describe('what steering a queue writes', () => {
  it('for a hold replaces all of an earlier one', () => {
    expect(holdPatch(line, { reason: 'stock-taking' }).patch).toEqual({
      spec: { hold: { reason: 'stock-taking', until: null, includePlaced: false, resume: null } },
    })
    expect(
      holdPatch(line, { reason: 'stock-taking', until: '2026-11-22T08:00:00Z', includePlaced: true }).patch,
    ).toEqual({
      spec: { hold: { reason: 'stock-taking', until: '2026-11-22T08:00:00Z', includePlaced: true, resume: null } },
    })
  })

  it('for a resume takes the hold away, or gives it a step', () => {
    expect(resumePatch(line, undefined).patch).toEqual({ spec: { hold: null } })
    expect(resumePatch(line, 3).patch).toEqual({ spec: { hold: { resume: { step: 3 } } } })
    expect(resumePatch(line, undefined, requester).patch).toEqual({
      metadata: { annotations: { 'queue.evenkeel.io/hold-ended-by': 'rae 2026-11-21T18:00:00Z' } },
      spec: { hold: null },
    })
  })

  it('for one workload leaves a note on its binding', () => {
    expect(releasePatch(binding, requester).patch).toEqual({
      metadata: { annotations: { 'queue.evenkeel.io/release-requested': 'rae 2026-11-21T18:00:00Z' } },
    })
    expect(priorityPatch(binding, 'urgent').patch).toEqual({
      metadata: { annotations: { 'queue.evenkeel.io/priority-class': 'urgent' } },
    })
  })

  it('to suspend one binding says who and why, and to resume it takes both away', () => {
    expect(suspendPatch(binding, { ...requester, reason: 'not yet' }).patch).toEqual({
      metadata: {
        annotations: {
          'queue.evenkeel.io/suspended-by': 'rae 2026-11-21T18:00:00Z',
          'queue.evenkeel.io/suspended-reason': 'not yet',
        },
      },
      spec: { suspension: { scheduling: true } },
    })
    expect(unsuspendPatch(binding).patch).toEqual({
      metadata: { annotations: { 'queue.evenkeel.io/suspended-by': null, 'queue.evenkeel.io/suspended-reason': null } },
      spec: { suspension: { scheduling: false } },
    })
  })

  it('to resume one binding where a queue keeps the namespace puts it into the line, still suspended', () => {
    expect(unsuspendPatch(binding, 'shop/line').patch).toEqual({
      metadata: {
        annotations: {
          'queue.evenkeel.io/queue': 'shop/line',
          'queue.evenkeel.io/suspended-by': null,
          'queue.evenkeel.io/suspended-reason': null,
        },
      },
    })
  })
})

describe('the command', () => {
  it('names the object in full', () => {
    expect(kubectlPatch(resumePatch(line, undefined))).toBe(
      `kubectl patch queues.evenkeel.io line -n shop --type=merge -p '{"spec":{"hold":null}}'`,
    )
    expect(kubectlPatch(releasePatch(binding, requester))).toContain(
      'kubectl patch resourcebindings.work.karmada.io web-deployment -n shop',
    )
  })

  it('is quoted for the shell, for any reason', () => {
    const reason = `it's $HOME \`today\`; "really" \\ 'yes'\n!`
    const command = kubectlPatch(holdPatch(line, { reason })).replace('kubectl', "printf '%s\\n'")
    const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
    const sent = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as { spec: { hold: { reason: string } } }
    expect(sent.spec.hold.reason).toBe(reason)
  })
})
