/** Simulated members of the product under test. */
import { member, type MemberOptions } from '../scenarios/members'
import type { Kubectl } from './kubectl'

/** Adds members, by name or with their sizes, and waits until all are Ready. */
export async function startMembers(
  kubectl: Kubectl,
  ...members: readonly (string | readonly [name: string, options: MemberOptions])[]
): Promise<void> {
  const all = members.map((one) => (typeof one === 'string' ? ([one, {}] as const) : one))
  await kubectl.apply(all.map(([name, options]) => member(name, options)).join(''))
  await kubectl.run(['wait', ...all.map(([name]) => `cluster/${name}`), '--for=condition=Ready', '--timeout=60s'])
}
