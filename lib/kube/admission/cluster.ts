/** Clusters: defaults and validation of the aggregated API server. */
import { omit } from '@/lib/std/omit'
import { repeats } from '@/lib/std/repeats'
import { duplicateField, type FieldError, invalidField, requiredField, unsupportedField } from '../field-error'
import type { Cluster, ResourceModel, Taint } from '../kinds'
import type { UnknownObject } from '../object'
import { compareQuantity, formatQuantity, parseQuantity, quantityOf } from '../quantity'
import type { KindRules, WriteContext } from '../rules'
import { validateSimulation } from '../simulation'
import { checkDnsLabel, checkLabelValue, checkQualifiedName } from '../validation/formats'

const MAX_NAME = 48
const GIB = 1024n ** 3n
const CPU_BORDERS = [0n, 1n, 2n, 4n, 8n, 16n, 32n, 64n, 128n]
const MEMORY_BORDERS = [0n, 4n, 16n, 32n, 64n, 128n, 256n, 512n, 1024n]
/** No upper border. */
const UNBOUNDED = formatQuantity(quantityOf(2n ** 63n - 1n))

/** Rules of Cluster. */
export const clusterRules: KindRules = {
  generation: 'spec',
  checkName: checkClusterName,
  prepareForCreate: complete,
  prepareForUpdate: (next, _old, context) => complete(next, context),
  validate: validateCluster,
}

/** Validates the name of a cluster. */
export function checkClusterName(name: string): string[] {
  return name.length > MAX_NAME ? [`must be no more than ${MAX_NAME} characters`] : checkDnsLabel(name)
}

function complete(object: UnknownObject, { now }: WriteContext): UnknownObject {
  const cluster = object as unknown as Cluster
  const { spec = { syncMode: '' }, status } = cluster
  const { zone, zones, taints, resourceModels } = spec
  const movesZone = zone && !zones?.length
  return {
    ...cluster,
    spec: {
      // As any field of a struct, an empty list is not stored.
      ...omit(spec, 'taints', ...(movesZone ? ['zone' as const] : [])),
      ...(movesZone && { zones: [zone] }),
      ...(taints?.length && {
        taints: taints.map((taint) =>
          taint.effect === 'NoExecute' && !taint.timeAdded ? { ...taint, timeAdded: now } : taint,
        ),
      }),
      resourceModels: resourceModels?.length ? standardise(resourceModels) : defaultModels(),
    },
    status: status ?? {},
  } as unknown as UnknownObject
}

/** Nine grades, each starting where the one below ends; the highest is open. */
function defaultModels(): ResourceModel[] {
  return CPU_BORDERS.map((cpu, grade) => ({
    grade,
    ranges: [
      rangeOf('cpu', cpu, CPU_BORDERS[grade + 1]),
      rangeOf(
        'memory',
        MEMORY_BORDERS[grade]! * GIB,
        grade + 1 < MEMORY_BORDERS.length ? MEMORY_BORDERS[grade + 1]! * GIB : undefined,
      ),
    ],
  }))
}

function rangeOf(name: string, min: bigint, max: bigint | undefined): ResourceModel['ranges'][number] {
  const format = name === 'memory' ? 'BinarySI' : 'DecimalSI'
  return {
    name,
    min: formatQuantity(quantityOf(min, format)),
    max: max === undefined ? UNBOUNDED : formatQuantity(quantityOf(max, format)),
  }
}

/** Sorts models by grade and sets their limits, from zero to unlimited. */
function standardise(models: readonly ResourceModel[]): ResourceModel[] {
  const sorted = models.toSorted((a, b) => a.grade - b.grade)
  return sorted.map((model, index) => ({
    ...model,
    ranges: model.ranges.map((range) => ({
      ...range,
      min: index === 0 ? '0' : range.min,
      max: index === sorted.length - 1 ? UNBOUNDED : range.max,
    })),
  }))
}

function validateCluster(object: UnknownObject): FieldError[] {
  const cluster = object as unknown as Cluster
  const { syncMode, resourceModels = [], taints = [] } = cluster.spec
  return [
    ...validateSimulation(cluster),
    ...validateSyncMode(syncMode),
    ...validateTaints(taints),
    ...validateModels(resourceModels),
  ]
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** One taint for each key and effect. */
function validateTaints(taints: readonly Taint[]): FieldError[] {
  const isRepeated = repeats()
  return taints.flatMap((taint, index) => {
    const field = `spec.taints[${index}]`
    const repeated = isRepeated(JSON.stringify([taint.key, taint.effect]))
    return [
      ...checkQualifiedName(taint.key ?? '').map((problem) => invalidField(`${field}.key`, taint.key ?? '', problem)),
      ...checkLabelValue(taint.value ?? '').map((problem) => invalidField(`${field}.value`, taint.value, problem)),
      ...validateEffect(taint.effect, `${field}.effect`),
      ...(repeated ? [withDetail(duplicateField(field, taint), 'taints must be unique by key and effect pair')] : []),
    ]
  })
}

const withDetail = (finding: FieldError, detail: string): FieldError => ({
  ...finding,
  message: `${finding.message}: ${detail}`,
})

function validateEffect(effect: string, field: string): FieldError[] {
  if (!effect) return [requiredField(field)]
  return EFFECTS.includes(effect) ? [] : [unsupportedField(field, effect, EFFECTS.toSorted())]
}

function validateSyncMode(mode: string | undefined): FieldError[] {
  if (!mode) return [requiredField('spec.syncMode')]
  return mode === 'Push' || mode === 'Pull' ? [] : [unsupportedField('spec.syncMode', mode, ['Pull', 'Push'])]
}

/** Grades count from 0; all have the same resources, and each starts where the previous one ends. */
function validateModels(models: readonly ResourceModel[]): FieldError[] {
  return models.flatMap((model, index) => {
    const field = `spec.resourceModels[${index}]`
    const below = models[index - 1]
    return [
      ...(model.grade === index
        ? []
        : [
            invalidField(
              `${field}.grade`,
              model.grade,
              'The grade of each models should be continuous and start from 0',
            ),
          ]),
      ...(below && !hasSameResources(below, model)
        ? [invalidField(field, model, 'The resource types of each models should be the same')]
        : []),
      ...model.ranges.flatMap((range, position) =>
        validateRange(range, below?.ranges[position], `${field}.ranges[${position}]`),
      ),
    ]
  })
}

type Range = ResourceModel['ranges'][number]

const hasSameResources = ({ ranges: a }: ResourceModel, { ranges: b }: ResourceModel): boolean =>
  a.length === b.length && a.every(({ name }, index) => name === b[index]?.name)

function validateRange(range: Range, below: Range | undefined, field: string): FieldError[] {
  const [min, max] = [parseQuantity(range.min), parseQuantity(range.max)]
  if (compareQuantity(min, max) >= 0)
    return [invalidField(field, range, 'The max value of each resource must be greater than the min value')]
  if (!below || compareQuantity(parseQuantity(below.max), min) === 0) return []
  return [invalidField(field, range, 'Model intervals for resources must be contiguous and non-overlapping')]
}
