/** How a data file of an older format becomes one of this version. */
import type { DatabaseSync } from 'node:sqlite'

/** Migrates the tables of one format to the next. Runs in a transaction; throws to roll back. */
export type Migration = (database: DatabaseSync) => void

/** The first format that was ever written. */
export const FIRST_FORMAT = 1

/** The first migrates from the first format to the second, and so on. Add a step when you change the tables. */
export const migrations: readonly Migration[] = []

/** The format that is written after all of these steps. */
export function formatAfter(steps: readonly Migration[]): number {
  return FIRST_FORMAT + steps.length
}

/** Takes the steps that a file of this format lacks: all of them, or none when one throws. */
export function migrate(database: DatabaseSync, format: number, steps: readonly Migration[]): void {
  database.exec('BEGIN EXCLUSIVE')
  try {
    for (const step of steps.slice(format - FIRST_FORMAT)) step(database)
    database.exec(`PRAGMA user_version = ${formatAfter(steps)}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
