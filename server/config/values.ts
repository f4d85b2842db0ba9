/** Parses values of settings. Every error is a ConfigError that names the flag, its variable and the allowed values. */
import { z } from 'zod'
import { ConfigError } from './config-error'
import { parseDuration } from './duration'
import { type FlagName, flags } from './flags'

/** 0 picks a free one. */
export function readPort(name: FlagName, text: string | undefined): number {
  const port = z.coerce.number().int().min(0).max(65535).safeParse(text)
  if (!port.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a port from 0 to 65535, not "${text}"`)
  return port.data
}

/** Undefined when nothing is given. */
export function readChoice<const C extends string>(
  name: FlagName,
  text: string | undefined,
  choices: readonly C[],
): C | undefined {
  if (text === undefined) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (!choice)
    throw new ConfigError(`--${name} (${flags[name].env}) must be one of ${choices.join(', ')}, not "${text}"`)
  return choice
}

/** A whole number from 0. */
export function readCount(name: FlagName, text: string | undefined): number {
  const count = z.coerce.number().int().min(0).safeParse(text)
  if (!count.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a whole number from 0, not "${text}"`)
  return count.data
}

/** The comma-separated entries, without empty ones. */
export function readList(text = ''): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}

/** Milliseconds. */
export function readDuration(name: FlagName, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a duration such as 500ms, 30s or 10m, not "${text}"`)
  return duration
}

/** How many per second. */
export function readRate(name: FlagName, text: string): number {
  const rate = z.coerce.number().min(0).safeParse(text)
  if (!rate.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a number of evictions per second, not "${text}"`)
  return rate.data
}
