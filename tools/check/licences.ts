/** Whether we may ship what we depend on: the licence that every package of production names, against a list. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '@/server/cli/process'

/** Free to use and pass on beside Apache-2.0; SPDX names. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Allowed for one package only, and why. */
const EXCEPTIONS: readonly { name: RegExp; licence: string }[] = [
  // Loaded as a library of its own that can be replaced; Next.js uses it for images, of which the console has none.
  { name: /^@img\/sharp-libvips-/, licence: 'LGPL-3.0-or-later' },
]

interface Locked {
  dev?: boolean
  devOptional?: boolean
}

/** Fails for a package without a licence, or with an unlisted one. Packages for other platforms are not installed. */
export function checkLicences(root = '.'): Outcome {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const paths = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => path)
  const present = paths.filter((path) => existsSync(join(root, path, 'package.json')))
  const findings = present.flatMap((path) =>
    findingOf(path, JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest),
  )
  return { code: findings.length === 0 ? 0 : 1, output: findings.join('\n'), note: `${present.length} packages` }
}

interface Manifest {
  name?: string
  license?: string | { type?: string }
  licenses?: readonly { type?: string }[]
}

function findingOf(path: string, manifest: Manifest): string[] {
  const name = manifest.name ?? path
  const licence = licenceOf(manifest)
  if (licence === undefined) return [`${name} names no licence: read it, then allow the package or replace it`]
  if (isAllowed(licence) || EXCEPTIONS.some((other) => other.name.test(name) && other.licence === licence)) return []
  return [`${name} is under ${licence}, which is not on the list in tools/check/licences.ts`]
}

/** Old packages write an object, or several, of which one may be chosen. */
function licenceOf({ license, licenses }: Manifest): string | undefined {
  if (typeof license === 'string') return license
  const types = (license ? [license] : (licenses ?? [])).flatMap(({ type }) => type ?? [])
  return types.length === 0 ? undefined : types.join(' OR ')
}

/** SPDX expressions without `WITH`: one of several joined with OR, or all of those joined with AND. */
export function isAllowed(expression: string): boolean {
  const bare = expression.trim().replace(/^\(([^()]*)\)$/, '$1')
  if (/\(/.test(bare)) return splitOutside(bare)
  return bare.split(/\s+OR\s+/).some((choice) => choice.split(/\s+AND\s+/).every((name) => ALLOWED.has(name)))
}

/** One level of parentheses is replaced by its verdict. */
function splitOutside(expression: string): boolean {
  const flat = expression.replace(/\(([^()]*)\)/g, (_, inner: string) => (isAllowed(inner) ? 'MIT' : 'NOT-ALLOWED'))
  return flat !== expression && isAllowed(flat)
}
