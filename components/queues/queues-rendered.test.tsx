import { describe, expect, it } from 'vitest'
import { HoldPanel } from './hold-panel'
import { Line } from './pending-table'
import { QueueTable } from './queue-table'
import { HOLD_STATES, holdMark } from './queue-texts'
import { draw, type KnownRights, wordsOf } from './testing/render'
import { detail, hold, queue, waiting } from './testing/samples'

const line = queue({ namespace: 'shop', name: 'line', pending: 2, inFlight: 3 })
const table = (row: typeof line, rights: readonly KnownRights[] = []) => draw(<QueueTable queues={[row]} gone={new Set()} scale={1} />, rights)

describe('a row of the list', () => {
  it.each(HOLD_STATES)('of a queue whose hold is %s has the word and the glyph of that, and nothing that looks well', (holdState) => {
    const markup = table({ ...line, state: { state: 'held', reason: '' }, hold: hold({ state: holdState }) })
    const { word, state } = holdMark({ state: holdState })
    expect(markup).toContain(`data-hold-state="${holdState}"`)
    expect(markup).toContain(`data-glyph="${state}"`)
    expect(wordsOf(markup)).toContain(word)
    expect(markup).not.toContain('data-glyph="ok"')
  })

  it('links every number to what it counts', () => {
    const markup = table(line)
    expect(markup).toMatch(/<a [^>]*aria-label="2 waiting in shop\/line"[^>]*href="\/queues\/detail\?queue=shop\/line"/)
    expect(markup).toMatch(/<a [^>]*aria-label="3 in flight from shop\/line"[^>]*href="\/queues\/detail\?queue=shop\/line#in-flight"/)
  })

  it('says the share, the fair share and what is borrowed', () => {
    const words = wordsOf(table({
      ...line, share: { resource: 'cpu', part: 0.31, fair: 0.2 }, amounts: [{ resource: 'cpu', used: 31_000, quota: 20_000, borrowed: 11_000 }],
    }))
    expect(words).toContain('31% / 20% CPU')
    expect(words).toContain('CPU 31 / 20 11 borrowed')
  })

  it('does not say that nobody waits when the reader may not see who', () => {
    expect(wordsOf(table(line))).toContain('in a namespace that you cannot see')
    expect(wordsOf(table({ ...line, pending: 0 }))).toContain('nobody waits')
  })

  const question = { verb: 'patch', group: 'evenkeel.io', resource: 'queues', namespace: 'shop', name: 'line' }

  it('says why a button is off, for eyes and for ears', () => {
    const markup = table(line, [{ question, verdict: { allowed: false, reason: 'rae may not patch queues in shop' } }])
    expect(markup).toMatch(/<button [^>]*aria-disabled="true"[^>]*aria-describedby="([^"]+)"[^>]*data-refused="You may not patch queues.evenkeel.io [^"]*: rae may not patch queues in shop\."/)
    expect(markup).toMatch(/<span id="[^"]+" class="sr-only">You may not patch [^<]*rae may not patch queues in shop\.<\/span>/)
  })

  it('has its button on while nothing is known, and when it is allowed', () => {
    expect(table(line)).not.toContain('aria-disabled')
    expect(table(line, [{ question, verdict: { allowed: true, reason: '' } }])).not.toContain('aria-disabled')
  })
})

describe('the panel of a hold', () => {
  const panel = (given: Parameters<typeof hold>[0], row = line) => wordsOf(draw(<HoldPanel detail={detail({ ...row, hold: hold(given) })} />))

  it('says who, why and what it keeps back', () => {
    const words = panel({ reason: 'stock-taking', by: 'rae', affected: 2, sentence: 'Both are kept back.' })
    for (const part of ['Effective', 'Both are kept back.', 'Why stock-taking', 'Who rae', 'Until somebody resumes it', 'Keeps back 2 workloads']) expect(words).toContain(part)
  })

  it('says that placed workloads stand still', () => {
    expect(panel({ includePlaced: true })).toContain('their scaling and failover stand still')
    expect(panel({})).not.toContain('scaling and failover')
  })

  it('lists what was placed all the same, each with its page', () => {
    const leak = { workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }, message: 'scheduled to m1' }
    const markup = draw(<HoldPanel detail={detail({ ...line, hold: hold({ state: 'leaking', leaks: [leak] }) })} />)
    expect(wordsOf(markup)).toContain('Placed all the same shop/ web scheduled to m1')
    expect(markup).toContain('href="/workloads/detail?id=apps~v1/Deployment/shop/web"')
  })

  const released = (name: string, free: boolean) => ({
    id: `apps~v1/Deployment/shop/${name}`, ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    who: 'volcano-global', times: 2, free,
  })

  it('names who undoes it, how often and on what, and what to do', () => {
    const undoneBy = { who: 'volcano-global', times: 4, released: [released('web', true), released('api', false)] }
    const words = panel({ state: 'undone', undoneBy })
    expect(words).toContain('Undone by volcano-global')
    expect(words).toContain('Released by others, 4 times')
    expect(words).toContain('web 2 times, last by volcano-global; it is free, and this hold does not take it back.')
    expect(words).toContain('api 2 times, last by volcano-global; it is held back again.')
    expect(words).toContain('Stop volcano-global from writing spec.suspension of bindings in shop, or resume this queue.')
  })

  it('sends the reader to the audit log where nobody knows who undoes it', () => {
    const words = panel({ state: 'undone', undoneBy: { times: 1, released: [{ ...released('web', true), who: undefined }] } })
    expect(words).toContain('its audit log does')
    expect(words).not.toContain('Stop somebody')
  })

  it('says whom a staged resume waits for, why, and how to end it', () => {
    const { id, ref } = released('web', false)
    const words = panel({ state: 'resuming', resume: { step: 1, done: 0, waits: { id, ref, sentence: 'It is over the quota.' } } })
    expect(words).toMatch(/Next is shop\/ ?web ?, and it waits: It is over the quota\. The hold ends when all that waited are out\. To end it now, resume all at once/)
    expect(words).toContain('Hold again…')
  })

  it('counts a staged resume', () => {
    expect(panel({ state: 'resuming', affected: 8, resume: { step: 2, done: 4 } })).toContain('4 released, 8 still kept back; 2 at a time.')
  })

  it('remembers the last one', () => {
    const words = wordsOf(draw(<HoldPanel detail={detail(line, { lastHold: { reason: 'stock-taking', by: 'rae', endedAt: '2026-11-21T09:00:00Z', endedBy: 'mo' } })} />))
    expect(words).toContain('Not on hold. The last one was by rae: “stock-taking”. It was ended by mo.')
  })
})

describe('the line', () => {
  it('has a place, a demand and a reason for each who waits', () => {
    const demand = [{ resource: 'cpu', amount: 1500 }]
    const words = wordsOf(draw(<Line detail={detail(line, { pendingWorkloads: [waiting('web', { demand, sentence: 'The quota is used up.', priorityClass: 'urgent', priority: 9 })] })} />))
    expect(words).toMatch(/1 shop\/ web urgent 9 .*1\.5 CPU The quota is used up\./)
  })

  it('says who asked already to release one, so that nobody asks again', () => {
    const rows = [waiting('web', { releaseAsked: { who: 'rae', at: '2026-11-21T09:00:00Z' } }), waiting('api')]
    const words = wordsOf(draw(<Line detail={detail(line, { pendingWorkloads: rows })} />))
    expect(words.match(/rae asked to release it next/g)).toHaveLength(1)
  })

  it('offers classes only where there are some, and a way back to who was suspended by a person', () => {
    const one = draw(<Line detail={detail(line, { pendingWorkloads: [waiting('web')] })} />)
    expect(one).not.toContain('Class of web…')
    expect(one).toContain('Release web…')
    const kept = draw(<Line detail={detail(line, { pendingWorkloads: [waiting('web', { reason: 'SuspendedByOther' })] })} />)
    expect(kept).not.toContain('Release web…')
    expect(kept).toContain('href="/workloads/detail?id=apps~v1/Deployment/shop/web&amp;do=resume"')
  })

  it('draws only what is on screen once it is long, and counts what was not sent', () => {
    const many = Array.from({ length: 500 }, (_, index) => waiting(`web-${index}`, { position: index + 1 }))
    const markup = draw(<Line detail={detail({ ...line, pending: 10_000 }, { pendingWorkloads: many, more: 9500 })} />)
    expect(markup.match(/data-testid="pending-row"/g) ?? []).toHaveLength(0)
    expect(markup).toContain('aria-rowcount="501"')
    expect(wordsOf(markup)).toContain('9,500 more wait behind these.')
  })
})
