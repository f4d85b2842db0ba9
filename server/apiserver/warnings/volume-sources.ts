/** Warnings about sources of volumes that Kubernetes is giving up, or has given up. */
import { ownField } from '@/lib/std/fields'

const OLD_SOURCES: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

/** About one source, by its field; `path` is that of the volume. */
export function sourceWarnings(source: string, path: string): string[] {
  const advice = ownField(OLD_SOURCES, source)
  return advice ? [`${path}.${source === 'storageos' ? 'storageOS' : source}: ${advice}`] : []
}
