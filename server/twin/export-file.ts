/** Exports as files: written as a whole or not at all, and read with a clear error for anything else. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { EXPORT_API_VERSION, type ExportFault, parseExport, type TwinExport } from '@/lib/domain/twin'
import { message } from '@/lib/messages/message'
import { isTextTooDeep } from '@/lib/std/json-bounds'
import { TwinError } from './twin-error'

/** Readable by its owner only: it names the workloads of a production fleet. */
const MODE = 0o600
/** Texts longer than this do not exist in JavaScript. */
const MAX_FILE_LENGTH = 500 * 1024 * 1024
const BEGINNING = 4096

/** The file in pieces: one object a line. */
export function* exportText({ objects, ...head }: TwinExport): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"objects":[\n`
  for (const [index, object] of objects.entries()) yield `${index === 0 ? '' : ',\n'}${JSON.stringify(object)}`
  yield '\n]}\n'
}

/** Writes a temporary file and renames it. Rejects with a TwinError and leaves nothing behind. */
export async function writeExport(file: string, twinExport: TwinExport): Promise<void> {
  const temporary = `${file}.new`
  try {
    const handle = await open(temporary, 'w', MODE)
    try {
      for (const piece of exportText(twinExport)) await handle.write(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new TwinError(message('twin.error.noOutput', { file, error: textOf(error) }), error)
  }
}

/** Whether a file claims to be an export. Rejects with a TwinError if it cannot be read. */
export async function isExportFile(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
      const beginning = buffer.toString('utf8', 0, bytesRead).trimStart()
      return beginning.startsWith('{') && !/"kind"\s*:\s*"Config"/.test(beginning)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new TwinError(message('twin.error.noFile', { file, error: textOf(error) }), error)
  }
}

/** Rejects with a TwinError for anything but a whole export of a known version. */
export async function readExport(file: string): Promise<TwinExport> {
  const text = await textIn(file)
  if (isTextTooDeep(text)) throw new TwinError(message('twin.error.tooDeep', { file }))
  const parsed = parseExport(valueIn(file, text))
  if ('export' in parsed) return parsed.export
  throw new TwinError(faultMessage(file, parsed))
}

async function textIn(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_LENGTH) throw new Error(`${size} > ${MAX_FILE_LENGTH} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new TwinError(message('twin.error.noFile', { file, error: textOf(error) }), error)
  }
}

function valueIn(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TwinError(message('twin.error.notJson', { file, error: textOf(error).slice(0, 200) }), error)
  }
}

function faultMessage(file: string, fault: ExportFault) {
  switch (fault.fault) {
    case 'NotAnExport':
      return message('twin.error.notAnExport', { file })
    case 'OtherVersion':
      return message('twin.error.otherVersion', { file, apiVersion: fault.apiVersion, known: EXPORT_API_VERSION })
    case 'Incomplete':
      return message('twin.error.incomplete', { file, found: fault.found, expected: fault.expected })
    case 'HostileKey':
      return message('twin.error.hostileKey', { file, key: fault.key })
    case 'Invalid':
      return message('twin.error.invalid', { file, path: fault.path, why: fault.why })
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
