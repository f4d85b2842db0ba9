/** The rules of what a container mounts, and of the devices that it opens. */
import {
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
  validateChoice,
} from '../field-error'
import type { Container, Volume } from '../kinds'
import { validateBacksteps, validateDescendingPath } from './volume-files'

type Mount = NonNullable<Container['volumeMounts']>[number]
type Device = NonNullable<Container['volumeDevices']>[number]
type Volumes = ReadonlyMap<string, Volume>

/** Where each volume is found, by its name: the last place, if there are several. */
function placesOf<T>(
  list: readonly T[],
  name: (item: T) => string | undefined,
  place: (item: T) => string | undefined,
) {
  return new Map(list.map((item) => [name(item) ?? '', place(item) ?? '']))
}

/** Mounts: of volumes that are there, each at a place of its own. */
export function validateMounts(container: Container, volumes: Volumes, field: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container
  const devices = placesOf(
    volumeDevices,
    ({ name }) => name,
    ({ devicePath }) => devicePath,
  )
  const paths = new Set<string>()
  return volumeMounts.flatMap((mount, index) => {
    const at = `${field}[${index}]`
    const { name = '', mountPath = '' } = mount
    const isTaken = paths.has(mountPath)
    paths.add(mountPath)
    return [
      ...validateReference(name, `${at}.name`, volumes),
      ...(mountPath ? [] : [requiredField(`${at}.mountPath`)]),
      ...(isTaken ? [invalidField(`${at}.mountPath`, mountPath, 'must be unique')] : []),
      ...validateApart({ name, path: mountPath }, devices, { at, path: 'mountPath', list: 'volumeDevices' }),
      ...validateSubPaths(mount, at, field),
      ...validatePropagation(mount.mountPropagation, container, `${field}.mountPropagation`),
      ...validateReadOnly(mount, `${field}.recursiveReadOnly`),
    ]
  })
}

function validateReference(name: string, field: string, volumes: Volumes): FieldError[] {
  const missing = volumes.has(name) ? [] : [notFoundField(field, name)]
  return name ? missing : [requiredField(field), ...missing]
}

/** A volume is either mounted or opened as a device, and not where another is. */
function validateApart(
  { name, path }: { name: string; path: string },
  others: ReadonlyMap<string, string>,
  field: { at: string; path: string; list: string },
): FieldError[] {
  const isUsed = [...others.values()].includes(path)
  return [
    ...(others.has(name) ? [invalidField(`${field.at}.name`, name, `must not already exist in ${field.list}`)] : []),
    ...(isUsed
      ? [invalidField(`${field.at}.${field.path}`, path, `must not already exist as a path in ${field.list}`)]
      : []),
  ]
}

function validateSubPaths({ subPath, subPathExpr }: Mount, at: string, list: string): FieldError[] {
  return [
    ...(subPath ? validateDescendingPath(subPath, `${list}.subPath`) : []),
    ...(subPath && subPathExpr
      ? [invalidField(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
      : []),
    ...(subPathExpr ? validateDescendingPath(subPathExpr, `${list}.subPathExpr`) : []),
  ]
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']

function validatePropagation(mode: string | undefined, container: Container, field: string): FieldError[] {
  const isBarred = mode === 'Bidirectional' && container.securityContext?.privileged !== true
  return [
    ...validateChoice(mode, PROPAGATIONS, field),
    ...(isBarred
      ? [forbiddenField(field, 'Bidirectional mount propagation is available only to privileged containers')]
      : []),
  ]
}

function validateReadOnly({ recursiveReadOnly: mode, readOnly, mountPropagation }: Mount, field: string): FieldError[] {
  if (mode === undefined || mode === 'Disabled') return []
  if (mode !== 'Enabled' && mode !== 'IfPossible')
    return [unsupportedField(field, mode, ['Disabled', 'Enabled', 'IfPossible'])]
  const isShared = mountPropagation !== undefined && mountPropagation !== 'None'
  const rule = 'may only be specified when mountPropagation is None or not specified'
  return [
    ...(readOnly ? [] : [forbiddenField(field, 'may only be specified when readOnly is true')]),
    ...(isShared ? [forbiddenField(field, rule)] : []),
  ]
}

/** Devices: of claims, each at a place of its own. */
export function validateDevices(container: Container, volumes: Volumes, field: string): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container
  const mounts = placesOf(
    volumeMounts,
    ({ name }) => name,
    ({ mountPath }) => mountPath,
  )
  const [names, paths] = [new Set<string>(), new Set<string>()]
  return volumeDevices.flatMap((device, index) => {
    const at = `${field}[${index}]`
    const { name = '', devicePath: path = '' } = device
    const [isNamed, isTaken] = [names.has(name), paths.has(path)]
    const leaves = validateBacksteps(path, at).length > 0
    if (name) names.add(name)
    if (!leaves) paths.add(path)
    return [
      ...validateDeviceName(device, at, { volumes, isNamed }),
      ...(path ? [] : [requiredField(`${at}.devicePath`)]),
      ...(isTaken ? [invalidField(`${at}.devicePath`, path, 'must be unique')] : []),
      ...(leaves ? [invalidField(`${at}.devicePath`, path, "can not contain backsteps ('..')")] : []),
      ...validateApart({ name, path }, mounts, { at, path: 'devicePath', list: 'volumeMounts' }),
    ]
  })
}

function validateDeviceName(
  { name = '' }: Partial<Device>,
  at: string,
  { volumes, isNamed }: { volumes: Volumes; isNamed: boolean },
): FieldError[] {
  const volume = volumes.get(name)
  const isClaim = volume?.persistentVolumeClaim ?? volume?.ephemeral
  const rule = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
  return [
    ...(name ? [] : [requiredField(`${at}.name`)]),
    ...(isNamed ? [invalidField(`${at}.name`, name, 'must be unique')] : []),
    ...(volume && !isClaim ? [invalidField(`${at}.name`, name, rule)] : []),
    ...(volume ? [] : [notFoundField(`${at}.name`, name)]),
  ]
}
