import { describe, expect, test } from 'vitest'
import type { Overriders } from '@/lib/kube/kinds/override-spec'
import { overridersInWords } from './overriders'

const rows: [string, Overriders, string[]][] = [
  ['a registry', { imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'mirror.example.com' }] }, ['image registry set to mirror.example.com']],
  ['a removed tag at a path', { imageOverrider: [{ component: 'Tag', operator: 'remove', predicate: { path: '/spec/image' } }] }, ['image tag at /spec/image removed']],
  ['a suffix', { imageOverrider: [{ component: 'Repository', operator: 'add', value: '-slim' }] }, ['image repository extended by -slim']],
  ['arguments', { argsOverrider: [{ containerName: 'web', operator: 'add', value: ['--zone', 'eu'] }] }, ['arguments of container web: --zone eu added']],
  ['labels', { labelsOverrider: [{ operator: 'add', value: { zone: 'eu', tier: 'web' } }] }, ['label zone=eu and tier=web added']],
  ['removed annotations', { annotationsOverrider: [{ operator: 'remove', value: { note: '' } }] }, ['annotation note removed']],
  ['a field', { fieldOverrider: [{ fieldPath: '/data/config', yaml: [{ subPath: '/log/level', operator: 'replace', value: 'debug' }] }] }, ['inside the text at /data/config: /log/level replaced']],
  ['plain text', { plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 3 }, { path: '/spec/paused', operator: 'remove' }] }, ['/spec/replicas set to 3', '/spec/paused removed']],
  ['nothing', {}, []],
  [
    'several, in the order in which they are made',
    { plaintext: [{ path: '/a', operator: 'add', value: 'x' }], imageOverrider: [{ component: 'Tag', operator: 'replace', value: '2' }] },
    ['image tag set to 2', '/a added as "x"'],
  ],
]

describe('an override in words', () => {
  test.each(rows)('%s', (_name, overriders, words) => expect(overridersInWords(overriders)).toEqual(words))
})
