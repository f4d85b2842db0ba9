/** The interface of a family of sequences, and their building blocks. */
import type { Rng } from '@/lib/std/rng'
import type { RecordedRequest, RecordedStep } from '@/tools/conformance/sessions/recorded-case'
import { pick } from '../broken/mutate'

export type Draft = Omit<RecordedStep, 'id'>

/** Makes one sequence; the same seed makes the same one. */
export interface Family {
  name: string
  /** How often it is chosen, beside the others. */
  weight: number
  make(rng: Rng): Draft[]
}

type More = Partial<Omit<RecordedRequest, 'method' | 'path' | 'body'>>

export function step(method: string, path: string, body?: unknown, more: More = {}): Draft {
  return { request: { method, path, ...(body !== undefined && { body }), ...more } }
}

export const post = (path: string, body: unknown, more?: More): Draft => step('POST', path, body, more)
export const get = (path: string, more?: More): Draft => step('GET', path, undefined, more)

export const NAMESPACE: Draft = {
  ...post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{ns}}' } }),
  setup: true,
}

export const PATCHES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

export function patch(type: keyof typeof PATCHES, path: string, body: unknown, more: More = {}): Draft {
  return step('PATCH', path, body, { ...more, headers: { 'Content-Type': PATCHES[type], ...more.headers } })
}

/** The value of a query parameter, or none: `undefined` leaves the parameter out. */
export function query(rng: Rng, from: Readonly<Record<string, readonly (string | number | boolean)[]>>, share = 0.4) {
  const chosen = Object.entries(from).flatMap(([name, values]) =>
    rng.next() < share ? [[name, pick(rng, values)] as const] : [],
  )
  return chosen.length > 0 ? { query: Object.fromEntries(chosen) } : {}
}

export const WRITE_OPTIONS = {
  dryRun: ['All', 'all', ''],
  fieldValidation: ['Strict', 'Warn', 'Ignore', 'nope', 'strict'],
  fieldManager: ['m', 'x'.repeat(129), 'a\u0001b', ''],
  pretty: ['true'],
} as const

export const TABLE = { headers: { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }
export const PARTIAL = { headers: { Accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } }
export const PARTIAL_LIST = { headers: { Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } }
