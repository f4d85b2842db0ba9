/** A loss, rehearsed on a copy of the demonstration fleet. */
import type { Camera, Scene } from '../camera'
import { BOTH } from '../looks'
import type { Stage } from '../stage'
import { part } from './ready'
import { until } from './waits'

const SCENARIO = `apiVersion: evenkeel.io/v1alpha1
kind: Scenario
metadata: { name: loss-of-member1 }
spec:
  duration: 5m
  steps: [{ at: 10s, lose: { clusters: [member1] } }, { at: 2m, recover: { clusters: [member1] } }, { at: 3m, rebalance: { namespaces: [shop] } }]
  assertions: [{ keepReady: { share: 50%, namespaces: [shop] } }]
`

/** The pages of one rehearsal name it in their address. */
export const REHEARSED: readonly Scene[] = [
  {
    name: 'rehearsals',
    title: 'Rehearsals, and a new one',
    path: '/rehearsals',
    ready: async (page) => {
      await part('rehearsal')(page)
      await page.locator('[data-testid=composer][data-valid=true]').waitFor()
    },
    looks: BOTH,
  },
  {
    name: 'rehearsal',
    title: 'What a rehearsed loss does',
    path: '/rehearsals/run',
    ready: part('rehearsal-lanes'),
    looks: BOTH,
  },
  {
    name: 'rehearsal-incident',
    title: 'The incident of a rehearsal',
    path: '/rehearsals/incident',
    ready: part('incident-headline'),
    looks: BOTH,
  },
  {
    name: 'rehearsal-plan',
    title: 'The rebalance of a rehearsal',
    path: '/rehearsals/plan',
    ready: part('plan-wave'),
    looks: BOTH,
  },
]

interface Rehearsal {
  run: { id: string; state: string }
  result?: { plans: { name: string }[] }
}

export async function rehearse({ url }: Stage, camera: Camera): Promise<void> {
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const answer = await fetch(`${url}/api/v1/rehearsals${path}`, init)
    if (!answer.ok) throw new Error(`the rehearsal was refused: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { id } = await ask<Rehearsal['run']>('', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: SCENARIO }),
  })
  const look = () => ask<Rehearsal>(`/${id}`)
  await until('rehearsal', look, ({ run }) => run.state === 'done')
  const name = (await look()).result?.plans[0]?.name ?? ''
  const address = new URLSearchParams({ id, n: '0', cluster: 'member1', name })
  await camera.take(...REHEARSED.map((scene) => ({ ...scene, path: `${scene.path}?${address}` })))
}
