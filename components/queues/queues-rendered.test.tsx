import { describe, expect, it } from 'vitest'
import { message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { HoldPanel } from './hold-panel'
import { PendingWorkloads } from './pending-table'
import { QueueTable } from './queue-table'
import { HOLD_STATES, holdMark } from './queue-texts'
import { draw, type KnownRights, wordsOf } from './testing/render'
import { detail, hold, pendingWorkload, queue } from './testing/samples'

const line = queue({ namespace: 'shop', name: 'line', pending: 2, inFlight: 3 })
const table = (row: typeof line, rights: readonly KnownRights[] = []) =>
  draw(<QueueTable queues={[row]} gone={new Set()} scale={1} />, rights)

describe('a row of the list', () => {
  it.each(HOLD_STATES)(
    'of a queue whose hold is %s has the word and the glyph of that, and nothing that looks well',
    (holdState) => {
      const markup = table({ ...line, state: { state: 'held', reason: '' }, hold: hold({ state: holdState }) })
      const { word, state } = holdMark(english, { state: holdState })
      expect(markup).toContain(`data-hold-state="${holdState}"`)
      expect(markup).toContain(`data-glyph="${state}"`)
      expect(wordsOf(markup)).toContain(word)
      expect(markup).not.toContain('data-glyph="ok"')
    },
  )

  it('links every number to what it counts', () => {
    const markup = table(line)
    expect(markup).toMatch(/<a [^>]*aria-label="2 pending in shop\/line"[^>]*href="\/queues\/detail\?queue=shop\/line"/)
    expect(markup).toMatch(
      /<a [^>]*aria-label="3 in flight from shop\/line"[^>]*href="\/queues\/detail\?queue=shop\/line#in-flight"/,
    )
  })

  it('shows the share, the fair share and borrowed amounts', () => {
    const words = wordsOf(
      table({
        ...line,
        share: { resource: 'cpu', part: 0.31, fair: 0.2 },
        amounts: [{ resource: 'cpu', used: 31_000, quota: 20_000, borrowed: 11_000 }],
      }),
    )
    expect(words).toContain('31% / 20% CPU')
    expect(words).toContain('CPU 31 / 20 11 borrowed')
  })

  it('does not say that none is pending when the reader may not see which', () => {
    expect(wordsOf(table(line))).toContain('In a namespace you can’t view')
    expect(wordsOf(table({ ...line, pending: 0 }))).toContain('No pending workloads')
  })

  const question = { verb: 'patch', group: 'evenkeel.io', resource: 'queues', namespace: 'shop', name: 'line' }

  it('says why a button is off, for eyes and for ears', () => {
    const markup = table(line, [{ question, verdict: { allowed: false, reason: 'rae may not patch queues in shop' } }])
    expect(markup).toMatch(
      /<button [^>]*aria-disabled="true"[^>]*aria-describedby="([^"]+)"[^>]*data-refused="You may not patch queues.evenkeel.io [^"]*: rae may not patch queues in shop\."/,
    )
    expect(markup).toMatch(
      /<span id="[^"]+" class="sr-only">You may not patch [^<]*rae may not patch queues in shop\.<\/span>/,
    )
  })

  it('has its button on while nothing is known, and when it is allowed', () => {
    expect(table(line)).not.toContain('aria-disabled')
    expect(table(line, [{ question, verdict: { allowed: true, reason: '' } }])).not.toContain('aria-disabled')
  })
})

describe('the panel of a hold', () => {
  const panel = (given: Parameters<typeof hold>[0], row = line) =>
    wordsOf(draw(<HoldPanel detail={detail({ ...row, hold: hold(given) })} />))

  it('shows author, reason and scope of the hold', () => {
    const words = panel({
      reason: 'stock-taking',
      by: 'rae',
      affected: 2,
      message: message('queues.hold.Effective', { held: 2, since: 'none' }),
    })
    for (const part of [
      'Effective',
      '2 workloads held.',
      'Reason stock-taking',
      'By rae',
      'Until Until resumed',
      'Held workloads 2 workloads',
    ])
      expect(words).toContain(part)
  })

  it('says that placed workloads are included', () => {
    expect(panel({ includePlaced: true })).toContain('their scaling and failover are stopped')
    expect(panel({})).not.toContain('scaling and failover')
  })

  it('lists what was scheduled despite it, each with its page', () => {
    const leak = {
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      message: message('queues.leak.whileHeld', { at: 'none', since: 'noon' }),
    }
    const markup = draw(<HoldPanel detail={detail({ ...line, hold: hold({ state: 'leaking', leaks: [leak] }) })} />)
    expect(wordsOf(markup)).toContain('Scheduled despite the hold shop/ web Scheduled, although held since noon.')
    expect(markup).toContain('href="/workloads/detail?id=apps~v1/Deployment/shop/web"')
  })

  const released = (name: string, free: boolean) => ({
    id: `apps~v1/Deployment/shop/${name}`,
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    who: 'volcano-global',
    times: 2,
    free,
  })

  it('names who undoes it, how often and on what, and what to do', () => {
    const undoneBy = { who: 'volcano-global', times: 4, released: [released('web', true), released('api', false)] }
    const words = panel({ state: 'undone', undoneBy })
    expect(words).toContain('Undone by volcano-global')
    expect(words).toContain('Resumed by other clients, 4 times')
    expect(words).toContain('web 2 times, last by volcano-global; no longer held.')
    expect(words).toContain('api 2 times, last by volcano-global; held again.')
    expect(words).toContain(
      'Stop volcano-global from writing spec.suspension of bindings in shop, or resume this queue.',
    )
  })

  it('sends the reader to the audit log where the client is unknown', () => {
    const words = panel({
      state: 'undone',
      undoneBy: { times: 1, released: [{ ...released('web', true), who: undefined }] },
    })
    expect(words).toContain('The audit log of the control plane shows')
    expect(words).not.toContain('Stop none')
  })

  it('says which workload blocks a staged resume, why, and how to end it', () => {
    const { id, ref } = released('web', false)
    const words = panel({
      state: 'resuming',
      resume: { step: 1, done: 0, next: { id, ref, message: message('queues.reason.Queued', { ahead: 1 }) } },
    })
    expect(words).toMatch(
      /Next is shop\/ ?web ?: Queued behind 1 workload\. The hold ends when all workloads held at its start are admitted\. To end it now, resume at once/,
    )
    expect(words).toContain('Hold again…')
  })

  it('counts a staged resume', () => {
    expect(panel({ state: 'resuming', affected: 8, resume: { step: 2, done: 4 } })).toContain(
      '4 admitted, 8 still held; 2 at a time.',
    )
  })

  it('remembers the last one', () => {
    const words = wordsOf(
      draw(
        <HoldPanel
          detail={detail(line, {
            lastHold: { reason: 'stock-taking', by: 'rae', endedAt: '2026-11-21T09:00:00Z', endedBy: 'mo' },
          })}
        />,
      ),
    )
    expect(words).toContain('Not on hold. Last hold by rae: “stock-taking”. Ended by mo.')
  })
})

describe('pending workloads', () => {
  it('have a position, a request, an estimate and a reason', () => {
    const demand = [{ resource: 'cpu', amount: 1500 }]
    const words = wordsOf(
      draw(
        <PendingWorkloads
          detail={detail(line, {
            pendingWorkloads: [
              pendingWorkload('web', {
                demand,
                message: message('queues.reason.Queued', { ahead: 3 }),
                estimate: { kind: 'held', message: message('queues.estimate.held') },
                priorityClass: 'urgent',
                priority: 9,
              }),
            ],
          })}
        />,
      ),
    )
    expect(words).toMatch(/1 shop\/ web urgent 9 .*1\.5 CPU Not while on hold Queued behind 3 workloads\./)
  })

  it('say who requested to admit one', () => {
    const rows = [
      pendingWorkload('web', { releaseAsked: { who: 'rae', at: '2026-11-21T09:00:00Z' } }),
      pendingWorkload('api'),
    ]
    const words = wordsOf(draw(<PendingWorkloads detail={detail(line, { pendingWorkloads: rows })} />))
    expect(words.match(/Admission requested by rae/g)).toHaveLength(1)
  })

  it('offer classes only where there are some, and to resume what a user suspended', () => {
    const one = draw(<PendingWorkloads detail={detail(line, { pendingWorkloads: [pendingWorkload('web')] })} />)
    expect(one).not.toContain('Priority class of web…')
    expect(one).toContain('Admit web…')
    const kept = draw(
      <PendingWorkloads
        detail={detail(line, { pendingWorkloads: [pendingWorkload('web', { reason: 'SuspendedByOther' })] })}
      />,
    )
    expect(kept).not.toContain('Admit web…')
    expect(kept).toContain('href="/workloads/detail?id=apps~v1/Deployment/shop/web&amp;do=resume"')
  })

  it('are drawn only on screen once there are many, and counted where they were not sent', () => {
    const many = Array.from({ length: 500 }, (_, index) => pendingWorkload(`web-${index}`, { position: index + 1 }))
    const markup = draw(
      <PendingWorkloads detail={detail({ ...line, pending: 10_000 }, { pendingWorkloads: many, more: 9500 })} />,
    )
    expect(markup.match(/data-testid="pending-row"/g) ?? []).toHaveLength(0)
    expect(markup).toContain('aria-rowcount="501"')
    expect(wordsOf(markup)).toContain('9,500 more pending workloads.')
  })
})
