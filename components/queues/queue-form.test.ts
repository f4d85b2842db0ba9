import { describe, expect, it } from 'vitest'
import type { QueueSettingsView } from '@/lib/view/queue-model'
import { checkDraft, draftOf, type DraftErrors, NEW_QUEUE, type QueueDraft, settingsOf } from './queue-form'

const draft = (given: Partial<QueueDraft> = {}): QueueDraft => ({ ...NEW_QUEUE, namespace: 'shop', name: 'line', ...given })
const pair = (name: string, value: string) => ({ name, value })

describe('the form of a queue', () => {
  it('with its name alone asks for a queue without limits', () => {
    expect(checkDraft(draft())).toEqual({})
    expect(settingsOf(draft())).toEqual({ namespaces: [], strategy: 'BestEffortFIFO', weight: 1, priorityClasses: [], onDelete: 'Release' })
  })

  it('asks for all that was filled in', () => {
    const full = draft({
      namespaces: 'shop-test, shop  shop-stage', strategy: 'StrictFIFO', weight: '3', maxInFlight: '5', classes: [pair('urgent', '1000'), pair(' normal ', '0'), pair('', '')],
      defaultClass: 'normal', quota: 'own', hard: [pair('cpu', '4'), pair('memory', '8Gi')], borrowing: 'limited', borrowingLimit: [pair('cpu', '500m')], onDelete: 'Hold',
    })
    expect(checkDraft(full)).toEqual({})
    expect(settingsOf(full)).toEqual({
      namespaces: ['shop-test', 'shop-stage'], strategy: 'StrictFIFO', weight: 3, maxInFlight: 5, onDelete: 'Hold',
      priorityClasses: [{ name: 'urgent', value: 1000 }, { name: 'normal', value: 0, default: true }],
      quota: { hard: { cpu: '4', memory: '8Gi' }, borrowingLimit: { cpu: '500m' } },
    })
  })

  it('tells borrowing nothing, something and everything apart', () => {
    const own = { quota: 'own', hard: [pair('cpu', '4')], borrowingLimit: [pair('cpu', '1')] } as const
    const limitOf = (borrowing: QueueDraft['borrowing']) => settingsOf(draft({ ...own, hard: [...own.hard], borrowingLimit: [...own.borrowingLimit], borrowing })).quota?.borrowingLimit
    expect([limitOf('nothing'), limitOf('limited'), limitOf('everything')]).toEqual([undefined, { cpu: '1' }, {}])
  })

  const rows: [Partial<QueueDraft>, DraftErrors][] = [
    [{ name: '' }, { name: 'A name: small letters, digits and dashes.' }],
    [{ name: 'Line' }, { name: 'A name: small letters, digits and dashes.' }],
    [{ namespace: 'a/b' }, { namespace: 'A namespace: small letters, digits and dashes.' }],
    [{ namespaces: 'good, -bad' }, { namespaces: 'Names of namespaces, separated by commas.' }],
    [{ weight: '0' }, { weight: 'A whole number from 1 to 1000.' }],
    [{ weight: '1.5' }, { weight: 'A whole number from 1 to 1000.' }],
    [{ weight: '' }, { weight: 'A whole number from 1 to 1000.' }],
    [{ maxInFlight: '0' }, { maxInFlight: 'A whole number from 1, or nothing for no limit.' }],
    [{ classes: [pair('urgent', '1'), pair('urgent', '2')] }, { classes: 'The class urgent stands there twice.' }],
    [{ classes: [pair('urgent', 'high')] }, { classes: 'The value of urgent is no whole number.' }],
    [{ classes: [pair('', '3')] }, { classes: 'Every class needs a name: small letters, digits and dashes.' }],
    [{ classes: [pair('urgent', '1')], defaultClass: 'normal' }, { defaultClass: 'One of the classes above.' }],
    [{ quota: 'own' }, { hard: 'At least one amount, such as cpu 4.' }],
    [{ quota: 'own', hard: [pair('cpu', '-4')] }, { hard: 'cpu cannot be negative.' }],
    [{ quota: 'own', hard: [pair('cpu', '')] }, { hard: 'How much cpu?' }],
    [{ quota: 'own', hard: [pair('', '4')] }, { hard: 'What is 4 of? Name the resource, such as cpu.' }],
    [{ quota: 'own', hard: [pair('cpu', 'many')] }, { hard: 'cpu is no amount: “many”. Write 4, 500m or 8Gi.' }],
    [{ quota: 'own', hard: [pair('cpu', '4'), pair('cpu', '5')] }, { hard: 'cpu stands there twice.' }],
    [{ quota: 'federated' }, { federatedResourceQuota: 'The name of a FederatedResourceQuota beside the queue.' }],
    [{ quota: 'federated', federatedResourceQuota: 'all', borrowing: 'limited' }, { borrowingLimit: 'At least one amount, or choose to borrow nothing.' }],
    [{ quota: 'none', hard: [pair('cpu', '-4')] }, {}],
  ]
  it.each(rows)('with %j is told %j', (given, errors) => {
    expect(checkDraft(draft(given))).toEqual(errors)
  })

  const settings: QueueSettingsView[] = [
    { version: '7', namespaces: [], strategy: 'StrictFIFO', weight: 1, priorityClasses: [], onDelete: 'Release' },
    { version: '7', namespaces: ['a', 'b'], strategy: 'BestEffortFIFO', weight: 9, priorityClasses: [{ name: 'low', value: -5, default: true }], maxInFlight: 2, onDelete: 'Hold', quota: { hard: { cpu: '4', 'nvidia.com/gpu': '1' } } },
    { version: '7', namespaces: [], strategy: 'BestEffortFIFO', weight: 1, priorityClasses: [], onDelete: 'Release', quota: { federatedResourceQuota: 'all', borrowingLimit: {} } },
    { version: '7', namespaces: [], strategy: 'BestEffortFIFO', weight: 1, priorityClasses: [], onDelete: 'Release', quota: { hard: { cpu: '1e3' }, borrowingLimit: { cpu: '500m' } } },
  ]
  it.each(settings)('changes nothing of what was set unless somebody does: %j', ({ version: _version, ...rest }) => {
    const filled = draftOf({ namespace: 'shop', name: 'line' }, { version: '7', ...rest })
    expect(checkDraft(filled)).toEqual({})
    expect(settingsOf(filled)).toEqual(rest)
  })
})
