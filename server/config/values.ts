/** Parses values of settings. Every error is a ConfigError that names the flag, its variable and the allowed values. */
import { z } from 'zod'
import { message } from '@/lib/messages/message'
import { parseDuration } from '@/lib/std/duration'
import { ConfigError } from './config-error'
import { type FlagName, flagText } from './flags'

type Expected = 'port' | 'count' | 'duration' | 'rate'

const invalid = (name: FlagName, text: string | undefined, code: `config.error.${Expected}`): ConfigError =>
  new ConfigError(message(code, { flag: flagText(name), value: text ?? '' }))

/** Parses a port; 0 picks a free one. */
export function readPort(name: FlagName, text: string | undefined): number {
  const port = z.coerce.number().int().min(0).max(65535).safeParse(text)
  if (!port.success) throw invalid(name, text, 'config.error.port')
  return port.data
}

/** Returns undefined when `text` is undefined. */
export function readChoice<const C extends string>(
  name: FlagName,
  text: string | undefined,
  choices: readonly C[],
): C | undefined {
  if (text === undefined) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (!choice)
    throw new ConfigError(
      message('config.error.choice', { flag: flagText(name), choices: choices.join(', '), value: text }),
    )
  return choice
}

/** Parses a whole number of at least 0. */
export function readCount(name: FlagName, text: string | undefined): number {
  const count = z.coerce.number().int().min(0).safeParse(text)
  if (!count.success) throw invalid(name, text, 'config.error.count')
  return count.data
}

/** Splits at commas and drops empty entries. */
export function readList(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

/** Parses a duration; returns milliseconds. */
export function readDuration(name: FlagName, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined) throw invalid(name, text, 'config.error.duration')
  return duration
}

/** Parses a rate per second. */
export function readRate(name: FlagName, text: string): number {
  const rate = z.coerce.number().min(0).safeParse(text)
  if (!rate.success) throw invalid(name, text, 'config.error.rate')
  return rate.data
}
