/** What a member answered when a manifest was brought to it, in words that say what to do. */

interface Reading {
  pattern: RegExp
  /** The sentence, made of the groups of the pattern. */
  words(groups: readonly string[]): string
}

const PREFIX = /^Failed to apply all manifests \(\d+\/\d+\): /

const READINGS: readonly Reading[] = [
  {
    pattern: /^resource\(kind=([^,]+), ([^)]+)\) already exists in the cluster (\S+) and the /,
    words: ([kind, name]) => `a ${kind} ${name} that was not propagated is there already; delete it there, or set `
      + 'conflictResolution: Overwrite in the policy to take it over',
  },
  {
    pattern: /admission webhook "([^"]+)" denied the request: (.*)$/s,
    words: ([webhook, why]) => `its admission webhook ${webhook} says: ${why}`,
  },
  {
    pattern: /exceeded quota: ([^,]+), (.*)$/s,
    words: ([quota, figures]) => `its quota ${quota} is used up (${figures}); raise it there or place fewer replicas`,
  },
  {
    pattern: /no matches for kind "([^"]+)"|the server could not find the requested resource/,
    words: ([kind]) => `it does not serve ${kind ? `the kind ${kind}` : 'this kind'}; install it there, or leave the cluster out of the policy`,
  },
  {
    pattern: /connection refused|i\/o timeout|context deadline exceeded|no such host/,
    words: () => 'its API does not answer; it is tried again',
  },
]

/** The message of a failed `Applied` condition in plain words; a message that is not known is shown as it is. */
export function refusalInWords(message: string): string {
  const bare = message.replace(PREFIX, '')
  for (const { pattern, words } of READINGS) {
    const found = pattern.exec(bare)
    if (found) return words(found.slice(1))
  }
  return bare
}
