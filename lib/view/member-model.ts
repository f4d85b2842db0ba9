/** Views of objects in a member cluster; the shapes are in `schemas/members.ts`. */
import type { z } from 'zod'
import type {
  containerSchema,
  eventSchema,
  memberNodesSchema,
  memberWorkloadSchema,
  nodeSchema,
  objectPreviewSchema,
  objectSchema,
  podDetailSchema,
  podMarkSchema,
  podSchema,
} from './schemas/members'

export type PodMark = z.infer<typeof podMarkSchema>
export type ContainerView = z.infer<typeof containerSchema>
export type PodView = z.infer<typeof podSchema>
export type MemberWorkloadView = z.infer<typeof memberWorkloadSchema>
export type EventView = z.infer<typeof eventSchema>
export type PodDetailView = z.infer<typeof podDetailSchema>
export type NodeView = z.infer<typeof nodeSchema>
export type MemberNodesView = z.infer<typeof memberNodesSchema>
export type ObjectPreviewView = z.infer<typeof objectPreviewSchema>
export type ObjectView = z.infer<typeof objectSchema>
