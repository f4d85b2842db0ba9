import { describe, expect, test } from 'vitest'
import type { Overriders } from '@/lib/kube/kinds/override-spec'
import { english } from '@/lib/messages/english'
import { overrideChanges } from './overriders'

const rows: [string, Overriders, string[]][] = [
  [
    'a registry',
    { imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.example.com' }] },
    ['Image registry set to mirror.example.com'],
  ],
  [
    'a removed tag at a path',
    { imageOverrider: [{ component: 'Tag', operator: 'remove', predicate: { path: '/spec/image' } }] },
    ['Image tag at /spec/image removed'],
  ],
  [
    'a suffix',
    { imageOverrider: [{ component: 'Repository', operator: 'add', value: '-slim' }] },
    ['Image repository: -slim appended'],
  ],
  [
    'arguments',
    { argsOverrider: [{ containerName: 'web', operator: 'add', value: ['--zone', 'eu'] }] },
    ['Arguments of container web: --zone eu added'],
  ],
  [
    'labels',
    { labelsOverrider: [{ operator: 'add', value: { zone: 'eu', tier: 'web' } }] },
    ['Labels: zone=eu and tier=web added'],
  ],
  [
    'removed annotations',
    { annotationsOverrider: [{ operator: 'remove', value: { note: '' } }] },
    ['Annotations: note removed'],
  ],
  [
    'a field',
    {
      fieldOverrider: [
        { fieldPath: '/data/config', yaml: [{ subPath: '/log/level', operator: 'replace', value: 'debug' }] },
      ],
    },
    ['Text at /data/config: /log/level replaced'],
  ],
  [
    'plain text',
    {
      plaintext: [
        { path: '/spec/replicas', operator: 'replace', value: 3 },
        { path: '/spec/paused', operator: 'remove' },
      ],
    },
    ['/spec/replicas set to 3', '/spec/paused removed'],
  ],
  ['nothing', {}, []],
  [
    'several, in the order in which they are made',
    {
      plaintext: [{ path: '/a', operator: 'add', value: 'x' }],
      imageOverrider: [{ component: 'Tag', operator: 'replace', value: '2' }],
    },
    ['Image tag set to 2', '/a set to "x"'],
  ],
]

describe('an override in words', () => {
  test.each(rows)('%s', (_name, overriders, words) =>
    expect(overrideChanges(overriders).map(english.of)).toEqual(words),
  )
})
