/** Applies the overrides of one cluster to the manifest of a template. */
import type { Overriders } from '../../kube/kinds/override-spec'
import type { Manifest } from '../interpreter'
import { overrideContainers } from './containers'
import { overrideField } from './field'
import { overrideImage } from './image'
import { patchJson } from './json-patch'
import { OverrideError, OverriderError } from './override-error'
import { recordOverrides } from './record'
import type { ClusterOverrides, OverrideStep } from './select'
import { overrideWords } from './words'

/** The manifest of one cluster, and the annotations that name the applied policies. */
export interface Overridden {
  manifest: Manifest
  annotations: Record<string, string>
}

/**
 * Applies the overrides. Deterministic. Throws an OverrideError if a policy cannot be applied; the cluster then gets no
 * manifest.
 */
export function applyOverrides(manifest: Manifest, { cluster, steps }: ClusterOverrides): Overridden {
  const overridden = steps.reduce((copy, step) => applyStep(copy, step, cluster), manifest)
  return { manifest: overridden, annotations: recordOverrides(steps) }
}

function applyStep(manifest: Manifest, { policy, overriders }: OverrideStep, cluster: string): Manifest {
  try {
    return applyOverriders(manifest, overriders)
  } catch (error) {
    if (!(error instanceof OverriderError)) throw error
    throw new OverrideError({ policy, cluster }, error)
  }
}

/** Applies the overriders in a fixed order of kinds; plaintext patches come last and are applied together. */
function applyOverriders(manifest: Manifest, overriders: Overriders): Manifest {
  const { imageOverrider = [], commandOverrider = [], argsOverrider = [], fieldOverrider = [] } = overriders
  const { labelsOverrider = [], annotationsOverrider = [], plaintext = [] } = overriders
  let copy = imageOverrider.reduce(overrideImage, manifest)
  copy = commandOverrider.reduce((object, overrider) => overrideContainers(object, 'command', overrider), copy)
  copy = argsOverrider.reduce((object, overrider) => overrideContainers(object, 'args', overrider), copy)
  copy = labelsOverrider.reduce((object, overrider) => overrideWords(object, 'labels', overrider), copy)
  copy = annotationsOverrider.reduce((object, overrider) => overrideWords(object, 'annotations', overrider), copy)
  copy = fieldOverrider.reduce(overrideField, copy)
  return plaintext.length === 0 ? copy : asManifest(patchJson(copy, plaintext))
}

/** Checks that the result of a patch is still an API object. */
function asManifest(value: unknown): Manifest {
  const { kind, apiVersion, metadata } = value as Partial<Manifest>
  if (!kind || !apiVersion || typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new OverriderError('the patched object has no apiVersion, kind or metadata')
  }
  return value as Manifest
}
