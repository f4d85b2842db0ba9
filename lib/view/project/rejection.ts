/** Explains why a member rejected a manifest, and what to do about it. */
import { message, type Message } from '@/lib/messages/message'

interface Reading {
  pattern: RegExp
  /** Builds the message from the groups of the pattern. */
  read(groups: readonly (string | undefined)[]): Message
}

const PREFIX = /^Failed to apply all manifests \(\d+\/\d+\): /

const READINGS: readonly Reading[] = [
  {
    pattern: /^resource\(kind=([^,]+), ([^)]+)\) already exists in the cluster (\S+) and the /,
    read: ([kind = '', name = '']) => message('workload.rejection.exists', { kind, name }),
  },
  {
    pattern: /admission webhook "([^"]+)" denied the request: (.*)$/s,
    read: ([webhook = '', why = '']) => message('workload.rejection.webhook', { webhook, why }),
  },
  {
    pattern: /exceeded quota: ([^,]+), (.*)$/s,
    read: ([quota = '', figures = '']) => message('workload.rejection.quota', { quota, figures }),
  },
  {
    pattern: /no matches for kind "([^"]+)"|the server could not find the requested resource/,
    read: ([kind]) => (kind ? message('workload.rejection.kind', { kind }) : message('workload.rejection.someKind')),
  },
  {
    pattern: /connection refused|i\/o timeout|context deadline exceeded|no such host/,
    read: () => message('workload.rejection.unreachable'),
  },
]

/** Reads the message of a failed `Applied` condition; an unknown one is returned unchanged. */
export function rejection(text: string): Message | string {
  const bare = text.replace(PREFIX, '')
  for (const { pattern, read } of READINGS) {
    const found = pattern.exec(bare)
    if (found) return read(found.slice(1))
  }
  return bare
}
