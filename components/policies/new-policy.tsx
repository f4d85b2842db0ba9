'use client'
import { useState } from 'react'
import { newPolicy } from '@/lib/view/lab/new-policy'
import { useUrlState } from '../hooks/use-url-state'
import { LabOf } from './lab'

/** A draft from nothing, in the namespace that the address names. */
export function NewPolicy() {
  const namespace = useUrlState().get('ns') ?? 'default'
  const [original] = useState(() => newPolicy(namespace))
  return <LabOf original={original} />
}
