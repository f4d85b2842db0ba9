/** Warnings about files of one volume that hide each other: equal paths, and paths inside of a file. */
import type { Volume } from '@/lib/kube/kinds'

interface File {
  path: string
  /** Where it comes from, in a volume of several sources. */
  source: string
}

export function pathWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { name, configMap, secret, downwardAPI, projected } = volume
    const warn = (what: string, overlaps: readonly string[]): string[] =>
      overlaps.map((overlap) => `volume ${quoted(name)} (${what}): overlapping paths: ${overlap}`)
    return [
      ...warn(`ConfigMap ${quoted(configMap?.name ?? '')}`, overlapsIn(filesOf(configMap?.items))),
      ...warn(`Secret ${quoted(secret?.secretName ?? '')}`, overlapsIn(filesOf(secret?.items))),
      ...warn('DownwardAPI', overlapsIn(filesOf(downwardAPI?.items))),
      ...projectedWarnings(projected?.sources ?? [], { name, warn }),
    ]
  })
}

const quoted = (text: string): string => JSON.stringify(text)

type Sources = NonNullable<NonNullable<Volume['projected']>['sources']>

interface Naming {
  name: string
  warn: (what: string, overlaps: readonly string[]) => string[]
}

function projectedWarnings(sources: Sources, { name, warn }: Naming): string[] {
  const known: File[] = []
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`volume ${quoted(name)} (Projected) has no sources provided`]
    return warn('Projected', overlapsIn(projectedFiles(source), known))
  })
}

function projectedFiles(source: Sources[number]): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${quoted(configMap.name ?? '')}`)
  if (secret?.items) return filesOf(secret.items, `Secret ${quoted(secret.name ?? '')}`)
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken) return filesOf([serviceAccountToken], 'ServiceAccountToken')
  if (clusterTrustBundle) {
    const { name, signerName = '' } = clusterTrustBundle
    return filesOf([clusterTrustBundle], `ClusterTrustBundle ${quoted(name ?? signerName)}`)
  }
  const { certificateChainPath = '', keyPath = '', credentialBundlePath = '' } = podCertificate ?? {}
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '')
}

function filesOf(items: readonly { path?: string }[] = [], source = ''): File[] {
  return items.map(({ path = '' }) => ({ path, source }))
}

/** Each file with every earlier one that it hides or is hidden by. `known` are those of other sources, and take the new ones. */
function overlapsIn(files: readonly File[], known: File[] = []): string[] {
  return files.flatMap(({ path, source }) => {
    const file = { path: path.replace(/\/+$/, ''), source }
    const others = known.filter((other) => overlap(file.path, other.path))
    known.push(file)
    return others.map((other) => `${shown(file)} with ${shown(other)}`)
  })
}

function overlap(one: string, other: string): boolean {
  return one !== '' && other !== '' && (`${other}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${other}/`))
}

function shown({ path, source }: File): string {
  return source === '' ? quoted(path) : `${quoted(path)} (${source})`
}
