import { describe, expect, test } from 'vitest'
import type { Placement } from '@/lib/kube/kinds/placement'
import { editableText, type PolicyManifest, readPolicy, withField, withSystemFields } from './document'
import {
  divisionOf,
  DIVISIONS,
  editDivision,
  editLabels,
  editNames,
  editSpread,
  editTolerations,
  type FieldEdit,
  labelsText,
  spreadOf,
  tolerationText,
  weightsOf,
} from './form'

const manifest: PolicyManifest = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', generation: 3, finalizers: ['keep'], labels: { team: 'shop' } },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
    placement: { clusterAffinity: { clusterNames: ['member1'] } },
  },
}
const start = editableText(manifest)

const apply = (text: string, edit: FieldEdit | undefined): string =>
  withField(text, ['spec', 'placement', ...(edit?.path ?? [])], edit?.value)

function placementIn(text: string): Placement {
  const read = readPolicy(text)
  if (!read.ok) throw new Error(JSON.stringify(read))
  return read.placement
}

describe('a policy as text', () => {
  test('leaves out what the API server writes, and gets it back when it is sent', () => {
    expect(start).not.toMatch(/uid|generation|finalizers/)
    const read = readPolicy(start)
    expect(read.ok && withSystemFields(read.manifest, manifest).metadata).toMatchObject(manifest.metadata)
  })

  test('keeps comments and the order of fields when a field is edited', () => {
    const text = `# ours\n${start}`.replace('  placement:', '  # where\n  placement:')
    const edited = apply(text, editNames('exclude', 'member2, member3'))
    expect(edited).toContain('# ours')
    expect(edited).toContain('# where')
    expect(placementIn(edited).clusterAffinity).toEqual({ clusterNames: ['member1'], exclude: ['member2', 'member3'] })
    expect(apply(edited, editNames('exclude', '')).trim()).toBe(text.trim())
  })

  test('removes what an edit leaves empty', () => {
    expect(placementIn(apply(start, editNames('clusterNames', ' ')))).toEqual({})
  })

  test.each([
    ['spec: [', 'policies.yaml.syntax', 1],
    ['just words', 'policies.yaml.notPolicy', undefined],
    [`${start}nonsense: []\n`, 'policies.yaml.unknownField', 1],
    [start.replace('placement:', 'placment:'), 'policies.yaml.unknownField', 13],
    [start.replace('- member1', '- 5'), 'policies.yaml.invalid', 12],
    [apply(start, editSpread({}, 'region', { min: 3, max: 1 })), 'policies.yaml.invalid', undefined],
  ])('says what is wrong with %j, and where', (text, code, line) => {
    const read = readPolicy(text)
    expect(read).toMatchObject({ ok: false, problem: { code } })
    if (line !== undefined) expect(read).toMatchObject({ line: expect.any(Number) })
  })
})

describe('the form', () => {
  test.each(DIVISIONS)('%s is read back as it was chosen', (division) => {
    const edited = apply(start, editDivision(division, [{ clusters: 'member1 member2', weight: 3 }]))
    expect(divisionOf(placementIn(edited))).toBe(division)
    if (division === 'Static')
      expect(weightsOf(placementIn(edited))).toEqual([{ clusters: 'member1, member2', weight: 3 }])
  })

  test('labels have the syntax of kubectl, and an invalid selector changes nothing', () => {
    const edited = apply(start, editLabels('tier in (prod,edge), !old'))
    expect(labelsText(placementIn(edited).clusterAffinity)).toBe('!old, tier in (edge,prod)')
    expect(editLabels('tier in (')).toBeUndefined()
  })

  test('a spread without bounds is removed, and one by cluster is kept beside the others, as the API requires', () => {
    const region = placementIn(apply(start, editSpread({}, 'region', { min: 2, max: 3 })))
    expect(spreadOf(region, 'region')).toMatchObject({ minGroups: 2, maxGroups: 3 })
    expect(spreadOf(region, 'cluster')).toMatchObject({ minGroups: 1 })
    const both = placementIn(apply(start, editSpread(region, 'cluster', { min: 4, max: undefined })))
    expect(spreadOf(both, 'cluster')).toMatchObject({ minGroups: 4 })
    expect(editSpread(both, 'region', { min: undefined, max: undefined }).value).toEqual([spreadOf(both, 'cluster')])
    expect(editSpread({}, 'cluster', { min: undefined, max: undefined }).value).toBeUndefined()
  })

  test.each(['gpu=a100:NoSchedule', 'gpu', '*:NoExecute 30', 'node.kubernetes.io/down:NoExecute 300'])(
    'the toleration %s is read back as it was typed',
    (typed) => {
      const { clusterTolerations = [] } = placementIn(apply(start, editTolerations(typed)))
      const written = clusterTolerations.map(tolerationText).join('\n')
      expect(written).toBe(typed.replace(/^\*:/, ':'))
    },
  )
})
