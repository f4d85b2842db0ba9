import { describe, expect, it } from 'vitest'
import type { QueueSettingsView } from '@/lib/view/queue-model'
import { message } from '@/lib/messages'
import { checkDraft, draftOf, type DraftErrors, NEW_QUEUE, type QueueDraft, settingsOf } from './queue-form'

const draft = (given: Partial<QueueDraft> = {}): QueueDraft => ({
  ...NEW_QUEUE,
  namespace: 'shop',
  name: 'line',
  ...given,
})
const pair = (name: string, value: string) => ({ name, value })

describe('the form of a queue', () => {
  it('with its name alone asks for a queue without limits', () => {
    expect(checkDraft(draft())).toEqual({})
    expect(settingsOf(draft())).toEqual({
      namespaces: [],
      strategy: 'BestEffortFIFO',
      weight: 1,
      priorityClasses: [],
      onDelete: 'Release',
    })
  })

  it('asks for all that was filled in', () => {
    const full = draft({
      namespaces: 'shop-test, shop  shop-stage',
      strategy: 'StrictFIFO',
      weight: '3',
      maxInFlight: '5',
      classes: [pair('urgent', '1000'), pair(' normal ', '0'), pair('', '')],
      defaultClass: 'normal',
      quota: 'own',
      hard: [pair('cpu', '4'), pair('memory', '8Gi')],
      borrowing: 'limited',
      borrowingLimit: [pair('cpu', '500m')],
      onDelete: 'Hold',
    })
    expect(checkDraft(full)).toEqual({})
    expect(settingsOf(full)).toEqual({
      namespaces: ['shop-test', 'shop-stage'],
      strategy: 'StrictFIFO',
      weight: 3,
      maxInFlight: 5,
      onDelete: 'Hold',
      priorityClasses: [
        { name: 'urgent', value: 1000 },
        { name: 'normal', value: 0, default: true },
      ],
      quota: { hard: { cpu: '4', memory: '8Gi' }, borrowingLimit: { cpu: '500m' } },
    })
  })

  it('distinguishes borrowing nothing, a limit and everything', () => {
    const own = { quota: 'own', hard: [pair('cpu', '4')], borrowingLimit: [pair('cpu', '1')] } as const
    const limitOf = (borrowing: QueueDraft['borrowing']) =>
      settingsOf(draft({ ...own, hard: [...own.hard], borrowingLimit: [...own.borrowingLimit], borrowing })).quota
        ?.borrowingLimit
    expect([limitOf('nothing'), limitOf('limited'), limitOf('everything')]).toEqual([undefined, { cpu: '1' }, {}])
  })

  const rows: [Partial<QueueDraft>, DraftErrors][] = [
    [{ name: '' }, { name: message('queues.form.error.name') }],
    [{ name: 'Line' }, { name: message('queues.form.error.name') }],
    [{ namespace: 'a/b' }, { namespace: message('queues.form.error.name') }],
    [{ namespaces: 'good, -bad' }, { namespaces: message('queues.form.error.namespaces') }],
    [{ weight: '0' }, { weight: message('queues.form.error.weight', { most: 1000 }) }],
    [{ weight: '1.5' }, { weight: message('queues.form.error.weight', { most: 1000 }) }],
    [{ weight: '' }, { weight: message('queues.form.error.weight', { most: 1000 }) }],
    [{ maxInFlight: '0' }, { maxInFlight: message('queues.form.error.maxInFlight') }],
    [
      { classes: [pair('urgent', '1'), pair('urgent', '2')] },
      { classes: message('queues.form.error.twice', { name: 'urgent' }) },
    ],
    [{ classes: [pair('urgent', 'high')] }, { classes: message('queues.form.error.classValue', { name: 'urgent' }) }],
    [{ classes: [pair('', '3')] }, { classes: message('queues.form.error.className') }],
    [
      { classes: [pair('urgent', '1')], defaultClass: 'normal' },
      { defaultClass: message('queues.form.error.defaultClass') },
    ],
    [{ quota: 'own' }, { hard: message('queues.form.error.noQuota') }],
    [{ quota: 'own', hard: [pair('cpu', '-4')] }, { hard: message('queues.form.error.negative', { name: 'cpu' }) }],
    [{ quota: 'own', hard: [pair('cpu', '')] }, { hard: message('queues.form.error.noAmount', { name: 'cpu' }) }],
    [{ quota: 'own', hard: [pair('', '4')] }, { hard: message('queues.form.error.noResource', { value: '4' }) }],
    [
      { quota: 'own', hard: [pair('cpu', 'many')] },
      { hard: message('queues.form.error.noQuantity', { name: 'cpu', value: 'many' }) },
    ],
    [
      { quota: 'own', hard: [pair('cpu', '4'), pair('cpu', '5')] },
      { hard: message('queues.form.error.twice', { name: 'cpu' }) },
    ],
    [{ quota: 'federated' }, { federatedResourceQuota: message('queues.form.error.federated') }],
    [
      { quota: 'federated', federatedResourceQuota: 'all', borrowing: 'limited' },
      { borrowingLimit: message('queues.form.error.noBorrowing') },
    ],
    [{ quota: 'none', hard: [pair('cpu', '-4')] }, {}],
  ]
  it.each(rows)('with %j is told %j', (given, errors) => {
    expect(checkDraft(draft(given))).toEqual(errors)
  })

  const settings: QueueSettingsView[] = [
    { version: '7', namespaces: [], strategy: 'StrictFIFO', weight: 1, priorityClasses: [], onDelete: 'Release' },
    {
      version: '7',
      namespaces: ['a', 'b'],
      strategy: 'BestEffortFIFO',
      weight: 9,
      priorityClasses: [{ name: 'low', value: -5, default: true }],
      maxInFlight: 2,
      onDelete: 'Hold',
      quota: { hard: { cpu: '4', 'nvidia.com/gpu': '1' } },
    },
    {
      version: '7',
      namespaces: [],
      strategy: 'BestEffortFIFO',
      weight: 1,
      priorityClasses: [],
      onDelete: 'Release',
      quota: { federatedResourceQuota: 'all', borrowingLimit: {} },
    },
    {
      version: '7',
      namespaces: [],
      strategy: 'BestEffortFIFO',
      weight: 1,
      priorityClasses: [],
      onDelete: 'Release',
      quota: { hard: { cpu: '1e3' }, borrowingLimit: { cpu: '500m' } },
    },
  ]
  it.each(settings)('keeps the settings that the user did not edit: %j', ({ version: _version, ...rest }) => {
    const filled = draftOf({ namespace: 'shop', name: 'line' }, { version: '7', ...rest })
    expect(checkDraft(filled)).toEqual({})
    expect(settingsOf(filled)).toEqual(rest)
  })
})
