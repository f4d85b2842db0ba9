/** The credentials of the embedded control plane: made once, kept in the data directory, readable by its owner only. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { EpochMs } from '@/lib/std/clock'
import { selfSigned, type KeyPair } from '@/server/apiserver'

/** A bearer token and whom it stands for. */
export interface Credential {
  token: string
  user: string
  groups: readonly string[]
}

/** The administrator's credential; the same at every start on the same data directory. */
export function adminCredential(dataDir: string): Credential {
  const file = join(dataDir, 'admin-token')
  if (!existsSync(file)) writePrivately(file, randomBytes(24).toString('base64url'))
  return { token: readFileSync(file, 'utf8').trim(), user: 'admin', groups: ['system:masters'] }
}

/** The server's certificate for this host, its own authority; the same at every start on the same data directory. */
export function serverKeyPair(dataDir: string, host: string, now: EpochMs): KeyPair {
  const file = join(dataDir, `tls-${host.replaceAll(':', '_')}.json`)
  if (!existsSync(file)) writePrivately(file, JSON.stringify(selfSigned({ hosts: [host, 'localhost'], now })))
  return JSON.parse(readFileSync(file, 'utf8')) as KeyPair
}

/**
 * Writes `<data dir>/kubeconfig`, so that `kubectl --kubeconfig` works at once; answers its path. The server is named
 * with https, because kubectl sends no token without TLS.
 */
export function writeKubeconfig(dataDir: string, access: { port: number; host: string; cert: string; credential: Credential }): string {
  const { port, host, cert, credential } = access
  const file = join(dataDir, 'kubeconfig')
  writePrivately(file, stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'evenkeel',
    clusters: [{
      name: 'evenkeel',
      cluster: { server: `https://${host}:${port}`, 'certificate-authority-data': Buffer.from(cert).toString('base64') },
    }],
    users: [{ name: credential.user, user: { token: credential.token } }],
    contexts: [{ name: 'evenkeel', context: { cluster: 'evenkeel', user: credential.user } }],
  }))
  return file
}

/** Replaces the file in one step, so that a reader never sees half of it. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
