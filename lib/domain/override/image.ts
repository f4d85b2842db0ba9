/** Overrides the images of containers: registry, repository, and tag or digest. */
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'
import { containersOf } from './containers'
import { formatImage, type Image, parseImage, withTagOrDigest } from './image-reference'
import { patchJson, valueAt } from './json-patch'
import { OverriderError } from './override-error'

type ImageOverrider = NonNullable<Overriders['imageOverrider']>[number]

/** Changes one component of the image at the predicate's path, or of every container if no path is given. */
export function overrideImage(manifest: Manifest, overrider: ImageOverrider): Manifest {
  const changes = imagesOf(manifest, overrider.predicate?.path).map(({ path, image }) => ({
    operator: 'replace' as const,
    path,
    value: formatImage(changeImage(parseImage(image), overrider)),
  }))
  return patchJson(manifest, changes) as Manifest
}

function imagesOf(manifest: Manifest, path: string | undefined): { path: string; image: string }[] {
  if (path === undefined) {
    return containersOf(manifest).map(({ path, container: { image = '' } }) => ({ path: `${path}/image`, image }))
  }
  const image = valueAt(manifest, path)
  if (typeof image !== 'string') throw new OverriderError(`no image at ${path}`)
  return [{ path, image }]
}

/** `add` appends to the component; `remove` empties it. */
function changeImage(image: Image, { component, operator, value = '' }: ImageOverrider): Image {
  const changed = (present: string): string => {
    if (operator === 'remove') return ''
    return operator === 'add' ? present + value : value
  }
  switch (component) {
    case 'Registry':
      return { ...image, registry: changed(image.registry) }
    case 'Repository':
      return { ...image, repository: changed(image.repository) }
    case 'Tag':
      return withTagOrDigest(image, changed(image.tag || image.digest))
  }
}
