/** Checks that the lock file names the binaries of every platform, so that `npm ci` passes everywhere. */
import { readFileSync } from 'node:fs'
import type { Outcome } from '@/server/cli/process'

interface LockedPackage {
  optionalDependencies?: Record<string, string>
  resolved?: string
}

/** Fails when an optional dependency has no entry, or an entry names the host it was fetched from. */
export function checkLock(file: string): Outcome {
  const packages = (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> }).packages
  const findings = [...missingPlatforms(packages), ...namedHosts(packages)]
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n') }
}

function missingPlatforms(packages: Record<string, LockedPackage>): string[] {
  const locked = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !locked.has(name))
      .map(
        (name) =>
          `${path} wants ${name}, which the lock file lacks: choose a version whose platform packages all exist`,
      ),
  )
}

function namedHosts(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages)
    .filter(([, entry]) => entry.resolved?.startsWith('http'))
    .map(([path]) => `${path} names the host it was fetched from: run npm with omit-lockfile-registry-resolved`)
}
