/** Reads a federation from a real control plane, with get and list rights alone. Nothing is ever written to it. */
import {
  COPIED_KINDS,
  copyObject,
  EXPORT_API_VERSION,
  EXPORT_KIND,
  type Omission,
  Omissions,
  OPTIONAL_KINDS,
  type TwinExport,
} from '@/lib/domain/twin'
import { KubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import {
  allKinds,
  cluster,
  clusterResourceBinding,
  customResourceDefinition,
  namespace as namespaceKind,
  resourceBinding,
  secret,
  work,
} from '@/lib/kube/kinds'
import type { BindingSpec } from '@/lib/kube/kinds/binding'
import { keyOf, objectKey, type UnknownObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { sizeWithin } from '@/lib/std/json-bounds'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import { discoverVersion } from '@/server/kube/discovery'
import { clientOver } from '@/server/kube/rest-client'
import type { Transport } from '@/server/kube/transport'
import { readKind } from './read-kind'
import { readOnly } from './read-only'
import { TwinError } from './twin-error'

export interface ReadOptions {
  /** Name of the source in the export and on the pages. */
  source: string
  now: EpochMs
  /** Where namespaced kinds are read that may not be listed everywhere. Default: nowhere. */
  namespaces?: readonly string[]
  /** Larger objects are left out; default 1 MiB, about what a control plane accepts. */
  largestBytes?: number
}

export interface FederationRead {
  export: TwinExport
  report: readonly Omission[]
}

const MAX_BYTES = 1024 * 1024

/** Rejects with a TwinError if the source cannot be read at all; a kind that cannot be read is in the report. */
export async function readFederation(transport: Transport, options: ReadOptions): Promise<FederationRead> {
  const reading = new Reading(readOnly(transport), options)
  await reading.run()
  return reading.result()
}

type Taking = (object: UnknownObject) => UnknownObject | undefined

class Reading {
  readonly #omissions = new Omissions()
  /** By kind and key: what is copied anyway may be a template, too. */
  readonly #objects = new Map<string, UnknownObject>()
  #revision: string | undefined
  #consistent = true
  #version: string | undefined

  constructor(
    private readonly transport: Transport,
    private readonly options: ReadOptions,
  ) {}

  /** Clusters first: without them there is nothing to copy. Their revision is that of all other lists. */
  async run(): Promise<void> {
    const clusters = await this.#clusters()
    this.#version = await versionOf(this.transport)
    this.#keep(clusters)
    const kinds = COPIED_KINDS.filter(
      (kind) => kind.kind !== cluster.kind && kind.kind !== customResourceDefinition.kind,
    )
    const bindings: UnknownObject[] = []
    for (const kind of kinds) {
      const objects = await this.#read(kind)
      if (kind.kind === resourceBinding.kind || kind.kind === clusterResourceBinding.kind) bindings.push(...objects)
      else this.#keep(objects)
    }
    await this.#templates(bindings)
  }

  result(): FederationRead {
    const { source, now } = this.options
    const report = this.#omissions.list()
    return {
      report,
      export: {
        apiVersion: EXPORT_API_VERSION,
        kind: EXPORT_KIND,
        metadata: {
          source,
          takenAt: formatTime(now),
          anonymised: false,
          ...(this.#version !== undefined && { version: this.#version }),
          ...(this.#consistent && this.#revision && { resourceVersion: this.#revision }),
          objects: this.#objects.size,
        },
        omissions: report,
        objects: [...this.#objects.values()],
      },
    }
  }

  async #clusters(): Promise<UnknownObject[]> {
    const kind = cluster as unknown as Kind
    try {
      const { objects, resourceVersion } = await readKind(this.transport, kind, {
        at: undefined,
        take: this.#taking(kind),
      })
      this.#revision = resourceVersion || undefined
      return objects
    } catch (error) {
      if (error instanceof KubeError && error.code >= 400) {
        throw new TwinError(message('twin.error.noClusters', { error: error.message }), error)
      }
      throw notRead(error)
    }
  }

  /** The objects of a kind; none, with an entry in the report, if the source does not give them. */
  async #read(kind: Kind, take = this.#taking(kind)): Promise<UnknownObject[]> {
    try {
      const { objects, later } = await readKind(this.transport, kind, { at: this.#revision, take })
      if (later) {
        this.#consistent = false
        this.#omissions.add('ReadLater', kind.kind)
      }
      return objects
    } catch (error) {
      if (!(error instanceof KubeError) || ![403, 404, 405].includes(error.code)) throw notRead(error)
      const { namespaces = [] } = this.options
      if (error.code === 403 && namespaces.length > 0) return this.#readIn(namespaces, kind, take)
      await this.#notifyUnread(kind, error.code)
      return []
    }
  }

  /** The objects of these namespaces alone; the namespaces themselves are known by their names. */
  async #readIn(namespaces: readonly string[], kind: Kind, take: Taking): Promise<UnknownObject[]> {
    if (kind.kind === namespaceKind.kind) return namespaces.flatMap((name) => take(namespaceNamed(name)) ?? [])
    const found: UnknownObject[] = []
    let denied = kind.scope === 'Cluster' || kind.kind === work.kind
    for (const namespace of denied ? [] : namespaces) {
      try {
        found.push(...(await readKind(this.transport, kind, { at: this.#revision, namespace, take })).objects)
      } catch (error) {
        if (!(error instanceof KubeError) || error.code !== 403) throw notRead(error)
        denied = true
      }
    }
    if (denied && found.length === 0) this.#omissions.add('Forbidden', kind.kind)
    else this.#omissions.add('OtherNamespaces', kind.kind)
    return found
  }

  async #notifyUnread(kind: Kind, code: number): Promise<void> {
    if (code !== 404 && code !== 405) return this.#omissions.add('Forbidden', kind.kind)
    const versions = await servedVersions(this.transport, kind)
    if (versions.length > 0) this.#omissions.add('OtherVersion', kind.kind, { detail: versions.join(', ') })
    else if (!OPTIONAL_KINDS.has(kind.kind)) this.#omissions.add('NotServed', kind.kind)
  }

  #taking({ kind }: Kind): Taking {
    const { largestBytes = MAX_BYTES } = this.options
    return (object) => {
      const { deletionTimestamp } = object.metadata
      const name = objectKey(object)
      const copy = deletionTimestamp === undefined ? copyObject(object) : undefined
      if (deletionTimestamp !== undefined) this.#omissions.add('Deleting', kind, { name })
      if (!copy || isWithin(copy, largestBytes)) return copy
      this.#omissions.add('TooLarge', kind, { name })
      return undefined
    }
  }

  /** The templates that bindings name, and the definitions of their kinds. */
  async #templates(bindings: readonly UnknownObject[]): Promise<void> {
    const wanted = new Map<string, Map<string, UnknownObject>>()
    for (const binding of bindings) {
      const { apiVersion, kind, namespace, name } = (binding.spec as BindingSpec).resource
      if (kind === secret.kind && apiVersion === 'v1') {
        this.#omissions.add('Secret', kind)
        continue
      }
      this.#keep([binding])
      const type = `${apiVersion} ${kind}`
      const ofKind = wanted.get(type) ?? new Map<string, UnknownObject>()
      wanted.set(type, ofKind.set(keyOf({ name, ...(namespace && { namespace }) }), binding))
    }
    const custom = new Set<string>()
    for (const [type, references] of wanted) {
      const [apiVersion = '', name = ''] = type.split(' ')
      const kind = await this.#templateKind(apiVersion, name)
      const found = kind ? await this.#templatesOf(kind, references) : []
      if (kind && !isBuiltIn(kind)) custom.add(`${kind.plural}.${kind.group}`)
      this.#keep(found)
      this.#warnMissing(name, { references, found, isForbidden: kind === undefined })
    }
    if (custom.size > 0) await this.#definitions(custom)
  }

  async #templatesOf(kind: Kind, references: ReadonlyMap<string, unknown>): Promise<UnknownObject[]> {
    const take = this.#taking(kind)
    return this.#read(kind, (object) => (references.has(objectKey(object)) ? take(object) : undefined))
  }

  #warnMissing(
    kind: string,
    {
      references,
      found,
      isForbidden,
    }: { references: ReadonlyMap<string, UnknownObject>; found: readonly UnknownObject[]; isForbidden: boolean },
  ): void {
    if (isForbidden) this.#omissions.add('NotServed', kind)
    const present = new Set(found.map(objectKey))
    for (const name of references.keys()) {
      if (!present.has(name)) this.#omissions.add('TemplateMissing', kind, { name })
    }
  }

  /** A kind that is unknown here is looked up by discovery. */
  async #templateKind(apiVersion: string, name: string): Promise<Kind | undefined> {
    const known = (allKinds as readonly Kind[]).find((kind) => kind.kind === name && apiVersionOf(kind) === apiVersion)
    if (known) return known
    try {
      const kinds = await discoverVersion(clientOver(this.transport, 'evenkeel-twin'), apiVersion)
      return kinds.find(({ kind }) => kind === name)
    } catch {
      return undefined
    }
  }

  async #definitions(names: ReadonlySet<string>): Promise<void> {
    const kind = customResourceDefinition as unknown as Kind
    const take = this.#taking(kind)
    this.#keep(await this.#read(kind, (object) => (names.has(object.metadata.name) ? take(object) : undefined)))
  }

  #keep(objects: readonly UnknownObject[]): void {
    for (const object of objects) {
      this.#objects.set(`${object.apiVersion} ${object.kind} ${objectKey(object)}`, object)
    }
  }
}

const namespaceNamed = (name: string): UnknownObject =>
  ({ apiVersion: 'v1', kind: namespaceKind.kind, metadata: { name } }) as unknown as UnknownObject

const isBuiltIn = ({ kind, group }: Kind): boolean =>
  (allKinds as readonly Kind[]).some((known) => known.kind === kind && known.group === group)

const isWithin = (object: UnknownObject, most: number): boolean =>
  sizeWithin(object, most) !== undefined || Buffer.byteLength(JSON.stringify(object)) <= most

const notRead = (error: unknown): Error =>
  error instanceof TwinError
    ? error
    : new TwinError(
        message('twin.error.notRead', { error: error instanceof Error ? error.message : String(error) }),
        error,
      )

async function versionOf(transport: Transport): Promise<string | undefined> {
  const { code, body } = await transport.call({ method: 'GET', path: '/version', userAgent: 'evenkeel-twin' })
  const version = (body as { gitVersion?: unknown } | undefined)?.gitVersion
  return code === 200 && typeof version === 'string' ? version.slice(0, 128) : undefined
}

/** Versions of the kind's group that the source serves and this program does not read. */
async function servedVersions(transport: Transport, { group, version }: Kind): Promise<string[]> {
  if (group === '') return []
  const { code, body } = await transport.call({ method: 'GET', path: `/apis/${group}`, userAgent: 'evenkeel-twin' })
  const versions = (body as { versions?: { version?: string }[] } | undefined)?.versions
  if (code !== 200 || !Array.isArray(versions)) return []
  const served = versions.map((one) => one.version ?? '')
  return served.includes(version) ? [] : served.map((one) => `${group}/${one}`)
}
