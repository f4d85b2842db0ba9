/** Image references: `[registry/]repository[:tag][@digest]`. */
import { OverriderError } from './override-error'

/** The parts; those that are absent are empty. A reference has a tag or a digest, never both. */
export interface Image {
  /** What precedes the first slash, be it a host or not: of `library/nginx` it is `library`. */
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

/** The parts of a reference. A digest beside a tag is dropped. Throws an OverriderError when it is malformed. */
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

/** The reference of these parts. */
export function formatImage({ registry, repository, tag, digest }: Image): string {
  const name = registry ? `${registry}/${repository}` : repository
  if (tag) return `${name}:${tag}`
  return digest ? `${name}@${digest}` : name
}

/** The image in another version. What is neither a tag nor a digest changes nothing, an empty text removes both. */
export function withTagOrDigest(image: Image, version: string): Image {
  if (version === '' || tagAlone.test(version)) return { ...image, tag: version, digest: '' }
  return digestAlone.test(version) ? { ...image, tag: '', digest: version } : image
}
