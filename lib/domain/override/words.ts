/** Overrides labels and annotations. */
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'

type WordsOverrider = NonNullable<Overriders['labelsOverrider']>[number]

/** `add` writes in any case; `replace` and `remove` affect existing keys only. */
export function overrideWords(
  manifest: Manifest,
  field: 'labels' | 'annotations',
  { operator, value }: WordsOverrider,
): Manifest {
  const present = manifest.metadata[field] ?? {}
  const concerned = Object.entries(value).filter(([key]) => operator === 'add' || Object.hasOwn(present, key))
  if (concerned.length === 0) return manifest
  const changed = Object.fromEntries(concerned)
  const words =
    operator === 'remove'
      ? Object.fromEntries(Object.entries(present).filter(([key]) => !Object.hasOwn(changed, key)))
      : { ...present, ...changed }
  return { ...manifest, metadata: { ...manifest.metadata, [field]: words } }
}
