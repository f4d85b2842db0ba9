'use client'
import { useUrlState } from '../hooks/use-url-state'
import { SpreadDetail } from './spread-detail'
import { SpreadList } from './spread-list'

/** All WorkloadSpreads, or with `?id=namespace/name` one of them in every cluster. */
export function SpreadPage() {
  const id = useUrlState().get('id')
  return id === undefined ? <SpreadList /> : <SpreadDetail key={id} id={id} />
}
