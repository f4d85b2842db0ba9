/** When an image is pulled, unless a container or a volume says so. */

const NAME = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const REGISTRY =
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\\d+)?/)?'
const IMAGE = new RegExp(`^${REGISTRY}${NAME}(?:/${NAME})*(?::\\w[\\w.-]{0,127})?$`)
/** What looks like an identifier is no name. */
const DIGEST = /^[a-f0-9]{64}$/
/** Less what the default registry adds to a short name. */
const MAX_IMAGE_LENGTH = 255 - 'docker.io/library/'.length

/** An image without a tag, or with `latest`, may change under its name; one that is no name may not. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@') || !IMAGE.test(image) || DIGEST.test(image) || image.length > MAX_IMAGE_LENGTH)
    return 'IfNotPresent'
  const [, tag] = /:([^/:]*)$/.exec(image) ?? []
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}
