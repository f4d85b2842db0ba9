/** The load balancer in front of a member. */
import { fnv1a32 } from '@/lib/std/fnv'

/** A stable address from 172.18.0.0/16 for an object in a member. */
export function balancerAddress(member: string, uid: string): string {
  const bits = fnv1a32(`${member}/${uid}`)
  return `172.18.${(bits >>> 8) & 255}.${(bits % 254) + 1}`
}
