/** Reads the list of control planes between which users switch. */
import { message } from '@/lib/messages/message'
import type { ControlPlaneLink } from '@/lib/view/login'
import { ConfigError } from './config-error'
import { flagText } from './flags'
import { readList } from './values'

/**
 * Parses `name,other=https://console.example`: exactly one entry has no URL, that of this console. Each console is a
 * process of its own with its own login and rights. Throws ConfigError.
 */
export function readControlPlanes(text: string | undefined): ControlPlaneLink[] {
  const planes = readList(text).map((entry) => linkIn(entry))
  if (planes.length === 0) return []
  const names = new Set(planes.map(({ name }) => name))
  const own = planes.filter(({ url }) => url === undefined)
  if (names.size < planes.length || own.length !== 1) throw invalid(text ?? '')
  return planes
}

function linkIn(entry: string): ControlPlaneLink {
  const at = entry.indexOf('=')
  if (at < 0) return { name: entry }
  const [name, url] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
  if (name === '' || !URL.canParse(url)) throw invalid(entry)
  const { protocol, origin, pathname, username, search, hash } = new URL(url)
  const isPlain = pathname === '/' && username === '' && search === '' && hash === ''
  if ((protocol !== 'https:' && protocol !== 'http:') || !isPlain) throw invalid(entry)
  return { name, url: origin }
}

const invalid = (value: string): ConfigError =>
  new ConfigError(message('config.error.controlPlanes', { flag: flagText('control-planes'), value }))
