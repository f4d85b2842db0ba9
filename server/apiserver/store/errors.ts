/** Errors of a store, as separate types. */

/** The write was conditional on a state that the object is no longer in. */
export class RevisionMismatch extends Error {
  override readonly name = 'RevisionMismatch'
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`expected revision ${expected}, found ${actual === 0 ? 'nothing' : `revision ${actual}`}`)
  }
}

/** The requested revision is older than the history window. */
export class RevisionCompacted extends Error {
  override readonly name = 'RevisionCompacted'
  constructor(
    readonly requested: number,
    readonly oldest: number,
  ) {
    super(`too old resource version: ${requested} (${oldest})`)
  }
}

/** The object is larger than any object may be. */
export class ObjectTooLarge extends Error {
  override readonly name = 'ObjectTooLarge'
}

/** Another process holds the data file. */
export class StoreLocked extends Error {
  override readonly name = 'StoreLocked'
  constructor(
    readonly file: string,
    readonly holder: number | undefined,
  ) {
    super(
      `the data file ${file} is in use by ${holder === undefined ? 'another process' : `process ${holder}`}: `
        + 'stop that process, or start with another data directory',
    )
  }
}

/** The file is not a store of this format, or is inconsistent. It is left unchanged. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt'
  constructor(
    readonly file: string,
    detail: string,
  ) {
    super(
      `the data file ${file} cannot be read (${detail}): `
        + 'it was left untouched; restore it from a copy, or move it away to start empty',
    )
  }
}

/** The file was written by a later version of this program. It is left as it was found. */
export class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew'
  constructor(
    readonly file: string,
    found: number,
    known: number,
  ) {
    super(
      `the data file ${file} has format ${found}, this version knows formats up to ${known}: `
        + 'it was left untouched; start the newer version, or use another data directory',
    )
  }
}
