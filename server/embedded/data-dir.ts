/** Restricts the data directory to its owner: it contains keys, tokens and every Secret of the control plane. */
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@/server/runtime/controller'

const FOLDER = 0o700
const FILE = 0o600
const OTHERS = 0o077

/**
 * Creates the directory, or removes all rights of others from it and its content. Links are not followed. Throws with a
 * message for the user if that fails, for instance because of another owner.
 */
export function makeDataDir(dataDir: string, log: Pick<Logger, 'warn'>): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: FOLDER })
  } catch (error) {
    throw refused(`the data directory ${dataDir} cannot be made`, error)
  }
  const tightened = tighten(dataDir)
  if (tightened > 0) {
    log.warn(
      { dataDir, entries: tightened },
      'data directory was accessible to other users; permissions restricted to its owner',
    )
  }
}

function tighten(path: string): number {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return 0
  let count = 0
  if ((found.mode & OTHERS) !== 0) {
    try {
      chmodSync(path, found.isDirectory() ? FOLDER : FILE)
    } catch (error) {
      throw refused(`others can reach ${path}, which holds keys and Secrets, and that cannot be changed`, error)
    }
    count += 1
  }
  if (!found.isDirectory()) return count
  return readdirSync(path).reduce((sum, name) => sum + tighten(join(path, name)), count)
}

function refused(what: string, error: unknown): Error {
  const cause = error instanceof Error ? error.message : String(error)
  return new Error(`${what} (${cause}): name another one with --data-dir`, { cause: error })
}
