/** Image references: `[registry/]repository[:tag][@digest]`. */
import { OverriderError } from './override-error'

/** Parts of a reference; absent ones are empty. A reference has a tag or a digest, not both. */
export interface Image {
  /** The part before the first slash, whether it is a host or not: `library` for `library/nginx`. */
  registry: string
  repository: string
  tag: string
  digest: string
}

const DOMAIN_WORD = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const DOMAIN = `${DOMAIN_WORD}(?:\\.${DOMAIN_WORD})*(?::[0-9]+)?`
const WORD = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const NAME = `(?:${DOMAIN}/)?${WORD}(?:/${WORD})*`
const TAG = '[\\w][\\w.-]{0,127}'
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'

const reference = new RegExp(`^(${NAME})(?::(${TAG}))?(?:@(${DIGEST}))?$`)
const tagAlone = new RegExp(`^${TAG}$`)
const digestAlone = new RegExp(`^${DIGEST}$`)

/** Parses a reference. A digest in addition to a tag is dropped. Throws an OverriderError if it is malformed. */
export function parseImage(text: string): Image {
  const [, name, tag = '', digest = ''] = reference.exec(text) ?? []
  if (name === undefined) throw new OverriderError(`"${text}" is not a valid image reference`)
  const slash = name.indexOf('/')
  return {
    registry: name.slice(0, Math.max(slash, 0)),
    repository: name.slice(slash + 1),
    tag,
    digest: tag ? '' : digest,
  }
}

/** Formats a reference. */
export function formatImage({ registry, repository, tag, digest }: Image): string {
  const name = registry ? `${registry}/${repository}` : repository
  if (tag) return `${name}:${tag}`
  return digest ? `${name}@${digest}` : name
}

/** Sets the tag or digest. A text that is neither changes nothing; an empty text removes both. */
export function withTagOrDigest(image: Image, version: string): Image {
  if (version === '' || tagAlone.test(version)) return { ...image, tag: version, digest: '' }
  return digestAlone.test(version) ? { ...image, tag: '', digest: version } : image
}
