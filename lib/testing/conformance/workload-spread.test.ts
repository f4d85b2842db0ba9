import { test } from 'vitest'
import { expectConformance } from './expect-conformance'
import { suite as adaptiveReschedule } from './adaptive-reschedule'
import { suite as controllerStatus } from './controller-status'
import { suite as createAccounting } from './create-accounting'
import { suite as deleteAccounting } from './delete-accounting'
import { suite as deleteOrder } from './delete-order'
import { suite as deletionCost } from './deletion-cost'
import { suite as initialSubsetStatuses } from './initial-subset-statuses'
import { suite as missingReplicas } from './missing-replicas'
import { suite as ownerMatch } from './owner-match'
import { suite as percentCount } from './percent-count'
import { suite as podGrouping } from './pod-grouping'
import { suite as podMutation } from './pod-mutation'
import { suite as podSubsetMatch } from './pod-subset-match'
import { suite as podVersion } from './pod-version'
import { suite as replicasPath } from './replicas-path'
import { suite as scenarioSimulation } from './scenario-simulation'
import { suite as statefulSetSubset } from './statefulset-subset'
import { suite as suitableSubset } from './suitable-subset'
import { suite as targetFilter } from './target-filter'
import { suite as validation } from './validation'

test.each([
  adaptiveReschedule, controllerStatus, createAccounting, deleteAccounting, deleteOrder, deletionCost,
  initialSubsetStatuses, missingReplicas, ownerMatch, percentCount, podGrouping, podMutation, podSubsetMatch, podVersion,
  replicasPath, scenarioSimulation, statefulSetSubset, suitableSubset, targetFilter, validation,
].map((suite) => [suite.name, suite] as const))('%s of WorkloadSpread is as recorded', (_name, suite) => expectConformance(suite))
