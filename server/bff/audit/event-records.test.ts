import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { event, type Event } from '@/lib/kube/kinds/event'
import type { RecordedEvent } from '@/server/kube/events'
import { createLogger } from '@/server/telemetry/logger'
import type { Principal } from '../auth/principal'
import { FedInformers } from '../testing/fed-informers'
import { activityOf, AuditLog } from './audit-log'
import { noSink } from './audit-sink'
import { followEventRecords } from './event-records'

const NOW = Date.UTC(2026, 10, 21, 9, 0, 0, 123)
const object = { apiVersion: 'evenkeel.io/v1alpha1', kind: 'Queue', namespace: 'lab', name: 'main', uid: 'u1' }
const jane: Principal = { identity: { user: 'jane', groups: [] }, key: 'k', via: 'token', client: undefined as never }

/** An instance with an audit log of its own, and the Events that it writes. */
function instance(random: number) {
  const told: RecordedEvent[] = []
  const written: string[] = []
  const clock = createFakeClock(NOW)
  const audit = new AuditLog({
    sink: { ...noSink(), append: (line) => void written.push(line) },
    clock,
    random: () => random,
    log: createLogger({ level: 'silent' }),
    events: { record: (one) => void told.push(one), flush: () => Promise.resolve() },
  })
  const hold = () =>
    audit.record({
      address: '',
      requestId: 'request-1',
      endpoint: 'POST /hold',
      summary: { code: 'queues.api.hold' },
      who: jane,
      status: 200,
      written: [object],
    })
  return { audit, clock, told, written, hold }
}

function asEvent({ component, annotations = {}, regarding }: RecordedEvent, name = 'main.1'): Event {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'lab', uid: 'e1', resourceVersion: '1', creationTimestamp: '', annotations },
    involvedObject: regarding,
    source: { component },
  } as Event
}

describe('an action of another instance', () => {
  test('is shown from the Event on its object, once, and is not written to the audit log', () => {
    const [here, there] = [instance(0.2), instance(0.7)]
    const events = new FedInformers().of(event)
    here.audit.onFirstLook(() => void followEventRecords(events, (record) => here.audit.report(record)))
    there.hold()
    here.hold()
    events.put(asEvent(there.told[0]!, 'theirs'))
    events.put(asEvent(here.told[0]!, 'own'))
    const [one, other] = here.audit.latest()
    expect([one, other].filter((each) => each?.reported)).toHaveLength(1)
    const theirs = [one, other].find((each) => each?.reported)!
    const [original] = there.audit.latest()
    expect(activityOf(theirs)).toEqual({ ...activityOf(original!), reported: true })
    expect(here.written).toHaveLength(1)
  })

  test('is waited for before the first answer, though not for ever', async () => {
    const { audit, clock } = instance(0.2)
    const told = Promise.withResolvers<void>()
    audit.onFirstLook(() => told.promise)
    let answered = false
    const late = audit.whenLooked().then(() => (answered = true))
    await Promise.resolve()
    expect(answered).toBe(false)
    clock.advance(2000)
    await late
    told.resolve()
    await audit.whenLooked()
  })

  test('stays what its Event said first', () => {
    const [here, there] = [instance(0.2), instance(0.7)]
    there.hold()
    const events = new FedInformers().of(event)
    followEventRecords(events, (record) => here.audit.report(record))
    events.put(asEvent(there.told[0]!))
    here.audit.report({ ...there.audit.latest()[0]!, user: 'forged' })
    expect(here.audit.latest()).toMatchObject([{ user: 'jane', reported: true }])
  })

  test.each<[string, (told: RecordedEvent) => RecordedEvent]>([
    ['another component', (told) => ({ ...told, component: 'default-scheduler' })],
    ['no record', (told) => ({ ...told, annotations: {} })],
    ['a record that is no JSON', (told) => ({ ...told, annotations: { 'console.evenkeel.io/activity': '{' } })],
    [
      'a record with an id that does not sort by time',
      (told) => ({
        ...told,
        annotations: {
          'console.evenkeel.io/activity': told.annotations!['console.evenkeel.io/activity']!.replace(
            '"id":"2',
            '"id":"z',
          ),
        },
      }),
    ],
  ])('is not known from an Event of %s', (_what, change) => {
    const [here, there] = [instance(0.2), instance(0.7)]
    there.hold()
    const events = new FedInformers().of(event)
    followEventRecords(events, (record) => here.audit.report(record))
    events.put(asEvent(change(there.told[0]!)))
    expect(here.audit.latest()).toEqual([])
  })

  test('cannot push the own ones out: only the latest hundred are kept', () => {
    const [here, there] = [instance(0.2), instance(0.7)]
    here.hold()
    for (let n = 0; n < 150; n += 1) there.hold()
    for (const record of there.audit.latest()) here.audit.report({ ...record, reported: true })
    expect(here.audit.latest().filter(({ reported }) => reported)).toHaveLength(100)
    expect(here.audit.latest().filter(({ reported }) => !reported)).toHaveLength(1)
    expect(here.audit.liveIds()).toHaveLength(101)
  })
})
