/** Reads the file of `--notify-config`. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { message } from '@/lib/messages/message'
import { type NotifySettings, parseNotifySettings } from '@/server/notify'
import { ConfigError } from './config-error'
import { flagText } from './flags'

const FLAG = 'notify-config'

/**
 * Returns undefined without a file. Paths in the file are relative to its folder. Errors do not repeat its values,
 * which may be secret.
 */
export function readNotify(file: string | undefined): NotifySettings | undefined {
  if (file === undefined) return undefined
  const settings = parseNotifySettings(readYaml(file))
  if ('faults' in settings) throw invalid(file, settings.faults)
  const folder = dirname(resolve(file))
  const located = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path))
  return {
    receivers: settings.receivers.map((receiver) => ({
      ...receiver,
      bearerTokenFile: located(receiver.bearerTokenFile),
      hmacSecretFile: located(receiver.hmacSecretFile),
      caFile: located(receiver.caFile),
    })),
  }
}

function readYaml(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(message('config.error.secretFile', { flag: flagText(FLAG), error: code ?? '' }))
  }
  try {
    return parse(text)
  } catch {
    throw invalid(file, ['not YAML'])
  }
}

const invalid = (file: string, faults: readonly string[]): ConfigError =>
  new ConfigError(message('config.error.notifyConfig', { flag: flagText(FLAG), file, faults: faults.join('; ') }))
