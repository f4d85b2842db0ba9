/** Flux: sources, HelmReleases and Kustomizations. All have conditions, and may be suspended in a member. */
import type { UnknownObject } from '../../../kube/object'
import { omit } from '../../../std/omit'
import { InterpretError } from '../interpret-error'
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import type { MemberStatus } from '../member-status'
import { needing } from '../needs'
import type { Fields } from '../shape'
import { generationOf, observedGenerationOf, reflectionWithGenerations } from './generations'
import {
  blockIn,
  hasTrueCondition,
  lastOf,
  lastTextOf,
  numberOr,
  reported,
  requiredBlock,
  type ThirdPartyAggregation,
  type ThirdPartyRule,
  withSpecField,
} from './rule'

/** Differences between the kinds of Flux. */
interface FluxKind {
  /** Reasons of a true condition `Ready` that count as healthy. */
  ready: readonly string[]
  reflected: readonly string[]
  /** Texts of which the last reported one counts. `keptTexts` fall back to the template's value. */
  texts?: readonly string[]
  keptTexts?: readonly string[]
  artifact?: boolean
  /** Upstream does not collect the observed generation, so that of the template never advances. */
  unobserved?: boolean
  /** Numbers to sum. */
  counts?: readonly string[]
  /** Returns the names of Secrets and other objects in the spec. */
  refers: (spec: Fields) => Parameters<typeof needing>[0]
}

const secretIn = (block: Fields, ...path: readonly string[]): unknown => blockIn(block, ...path, 'secretRef').name

function fluxRule(kind: FluxKind): ThirdPartyRule {
  const { ready, reflected, texts = [], keptTexts = [], artifact, unobserved, counts = [], refers } = kind
  return {
    isHealthy: ({ status }) => hasTrueCondition(listIn(fieldsIn(status).conditions), 'Ready', ready),
    reflect: (object, { likeUpstream }) => {
      const all = reflectionWithGenerations(['conditions', ...reflected])(object)
      return unobserved && likeUpstream ? omit(all, 'observedGeneration') : all
    },
    aggregate: (input) => {
      const { template, old, items } = input
      const statuses = reported(items)
      const lastTexts = (names: readonly string[], before: (name: string) => unknown) =>
        Object.fromEntries(names.map((name) => [name, lastTextOf(statuses, name) ?? before(name)]))
      return {
        ...old,
        ...lastTexts(texts, () => ''),
        ...lastTexts(keptTexts, (name) => old[name]),
        ...(artifact && { artifact: lastOf(statuses, 'artifact') }),
        ...(counts.length > 0 && {
          lastReleaseRevision: lastOf(statuses, 'lastReleaseRevision') ?? old.lastReleaseRevision,
        }),
        ...countsOf(input, counts),
        conditions: mergedConditions(items, input.likeUpstream),
        observedGeneration: observedGenerationOf(template, old, items),
      }
    },
    aggregateNone: (template, old) => ({
      ...old,
      ...Object.fromEntries([...texts, ...keptTexts].map((name) => [name, ''])),
      ...(counts.length > 0 && { lastReleaseRevision: '', ...Object.fromEntries(counts.map((name) => [name, 0])) }),
      ...(artifact && { artifact: undefined }),
      conditions: [],
      observedGeneration: generationOf(template),
    }),
    retain: (manifest, observed) => {
      const { suspend } = requiredBlock(observed, 'spec')
      return suspend === undefined ? manifest : withSpecField(manifest, 'suspend', suspend)
    },
    needs: (object: UnknownObject) => needing(refers(requiredBlock(object, 'spec'))),
  }
}

/**
 * Sums counts. Upstream adds to the template's value, and counts nothing if that is absent, so that the sum grows with
 * each aggregation.
 */
function countsOf({ old, items, likeUpstream }: ThirdPartyAggregation, names: readonly string[]): Fields {
  const statuses = reported(items)
  const entries = names.flatMap((name) => {
    const values = statuses.map((status) => status[name]).filter((value) => value !== undefined)
    if (likeUpstream) {
      const before = old[name]
      return before === undefined
        ? []
        : [[name, values.reduce<number>((sum, value) => sum + numberOr(value, 0), numberOr(before, 0))]]
    }
    return values.length === 0 ? [] : [[name, values.reduce<number>((sum, value) => sum + numberOr(value, 0), 0)]]
  })
  return Object.fromEntries(entries) as Fields
}

/**
 * The conditions of all members: those of the same type, status and reason are one, whose message names each member.
 * Upstream's scripts fail where a condition has no message.
 */
export function mergedConditions(items: readonly MemberStatus[], likeUpstream = false): Fields[] {
  const merged = new Map<string, Fields>()
  for (const { clusterName, status } of items) {
    for (const condition of listIn(status?.conditions)) {
      const key = JSON.stringify([condition.type, condition.status, condition.reason])
      if (likeUpstream && condition.message === undefined) {
        throw new InterpretError(`condition ${String(condition.type)} of ${clusterName} has no message`)
      }
      const message = `${clusterName}=${String(condition.message ?? '')}`
      const known = merged.get(key)
      merged.set(key, known ? { ...known, message: `${String(known.message)}, ${message}` } : { ...condition, message })
    }
  }
  return [...merged.values()]
}

const gitRepository = fluxRule({
  ready: ['Succeeded'],
  reflected: ['artifact', 'observedGeneration', 'observedIgnore', 'observedRecurseSubmodules'],
  artifact: true,
  refers: (spec) => ({ Secret: [secretIn(spec), secretIn(spec, 'verify')] }),
})

const bucket = fluxRule({
  ready: ['Succeeded'],
  reflected: ['artifact', 'observedIgnore', 'observedGeneration', 'url'],
  artifact: true,
  texts: ['url'],
  refers: (spec) => ({ Secret: [secretIn(spec)] }),
})

const helmRepository = fluxRule({
  ready: ['Succeeded'],
  reflected: ['artifact', 'observedGeneration', 'url'],
  artifact: true,
  texts: ['url'],
  refers: (spec) => ({ Secret: [secretIn(spec)] }),
})

const helmChart = fluxRule({
  ready: ['Succeeded', 'ChartPullSucceeded'],
  reflected: ['artifact', 'observedChartName', 'observedGeneration', 'observedSourceArtifactRevision', 'url'],
  artifact: true,
  unobserved: true,
  texts: ['url', 'observedChartName', 'observedSourceArtifactRevision'],
  refers: (spec) => ({ Secret: [secretIn(spec, 'verify')] }),
})

const ociRepository = fluxRule({
  ready: ['Succeeded'],
  reflected: ['artifact', 'url', 'observedGeneration', 'observedIgnore', 'observedLayerSelector'],
  artifact: true,
  texts: ['url'],
  refers: (spec) => ({
    Secret: [secretIn(spec), secretIn(spec, 'verify'), blockIn(spec, 'certSecretRef').name],
    ServiceAccount: [spec.serviceAccountName],
  }),
})

const kustomization = fluxRule({
  ready: ['ReconciliationSucceeded'],
  reflected: ['lastAppliedRevision', 'lastAttemptedRevision', 'observedGeneration'],
  keptTexts: ['lastAppliedRevision', 'lastAttemptedRevision'],
  refers: (spec) => ({
    Secret: [secretIn(spec, 'decryption'), secretIn(spec, 'kubeConfig')],
    ServiceAccount: [spec.serviceAccountName],
  }),
})

const HELM_TEXTS = ['lastAttemptedRevision', 'lastAppliedRevision', 'lastAttemptedValuesChecksum', 'helmChart']
const HELM_COUNTS = ['failures', 'upgradeFailures', 'installFailures']

const helmRelease = fluxRule({
  ready: ['ReconciliationSucceeded'],
  reflected: [...HELM_TEXTS, ...HELM_COUNTS, 'lastReleaseRevision', 'observedGeneration'],
  keptTexts: HELM_TEXTS,
  counts: HELM_COUNTS,
  refers: (spec) => {
    const values = (kind: string) =>
      listIn(spec.valuesFrom)
        .filter((source) => source.kind === kind)
        .map(({ name }) => name)
    const verified = blockIn(spec, 'chart', 'spec')
    return {
      ConfigMap: values('ConfigMap'),
      Secret: [...values('Secret'), secretIn(verified, 'verify'), secretIn(spec, 'kubeConfig')],
      ServiceAccount: [spec.serviceAccountName],
    }
  },
})

export const fluxRules: RulesByKind<ThirdPartyRule> = {
  'source.toolkit.fluxcd.io/v1/GitRepository': gitRepository,
  'source.toolkit.fluxcd.io/v1beta2/Bucket': bucket,
  'source.toolkit.fluxcd.io/v1beta2/HelmRepository': helmRepository,
  'source.toolkit.fluxcd.io/v1beta2/HelmChart': helmChart,
  'source.toolkit.fluxcd.io/v1beta2/OCIRepository': ociRepository,
  'kustomize.toolkit.fluxcd.io/v1/Kustomization': kustomization,
  'helm.toolkit.fluxcd.io/v2beta1/HelmRelease': helmRelease,
}
