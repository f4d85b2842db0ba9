/** The defaults of pods and pod templates. */
import { omit } from '@/lib/std/omit'
import type { Container, PodSpec, Probe, Volume } from '../kinds'
import { formatQuantity, roundUpToMilli, tryParseQuantity } from '../quantity'

type Quantities = Record<string, number | string>
const FILE_MODE = 0o644

/** Applies the defaults of a pod spec on which the kubelet and the scheduler rely. Templates keep missing requests. */
export function defaultPodSpec(spec: PodSpec, { isTemplate }: { isTemplate: boolean }): PodSpec {
  const complete = (container: Container): Container => defaultContainer(container, isTemplate)
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(complete) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(complete) }),
    ...(spec.volumes && { volumes: spec.volumes.map(defaultVolume) }),
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    ...serviceAccountOf(spec),
    securityContext: spec.securityContext ?? {},
    schedulerName: spec.schedulerName ?? 'default-scheduler',
  }
}

/** The old and the new name of the same field. */
function serviceAccountOf(spec: PodSpec): Pick<PodSpec, 'serviceAccount' | 'serviceAccountName'> {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  return name === undefined ? {} : { serviceAccountName: name, serviceAccount: name }
}

function defaultContainer(container: Container, isTemplate: boolean): Container {
  return {
    ...container,
    resources: defaultResources(container.resources ?? {}, isTemplate),
    ...(container.ports && { ports: container.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }),
    ...(container.env && { env: container.env.map(defaultEnv) }),
    ...(container.livenessProbe && { livenessProbe: defaultProbe(container.livenessProbe) }),
    ...(container.readinessProbe && { readinessProbe: defaultProbe(container.readinessProbe) }),
    ...(container.startupProbe && { startupProbe: defaultProbe(container.startupProbe) }),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    imagePullPolicy: container.imagePullPolicy ?? pullPolicyOf(container.image ?? ''),
  }
}

const NAME = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const REGISTRY =
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\\d+)?/)?'
const IMAGE = new RegExp(`^${REGISTRY}${NAME}(?:/${NAME})*(?::\\w[\\w.-]{0,127})?$`)
/** What looks like an identifier is no name. */
const DIGEST = /^[a-f0-9]{64}$/
/** Less what the default registry adds to a short name. */
const MAX_IMAGE_LENGTH = 255 - 'docker.io/library/'.length

/** An image without a tag, or with `latest`, may change under its name; one that is no name may not. */
function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@') || !IMAGE.test(image) || DIGEST.test(image) || image.length > MAX_IMAGE_LENGTH)
    return 'IfNotPresent'
  const [, tag] = /:([^/:]*)$/.exec(image) ?? []
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

type Resources = NonNullable<Container['resources']>

/** Amounts are kept in canonical form; a request that is missing in a pod is the limit. */
function defaultResources(resources: Resources, isTemplate: boolean): Resources {
  const limits = resources.limits && canonical(resources.limits)
  const given = resources.requests && canonical(resources.requests)
  const requests = isTemplate || !limits ? given : { ...limits, ...given }
  return { ...resources, ...(limits && { limits }), ...(requests && { requests }) }
}

/** Amounts in canonical form and in whole thousandths. An invalid amount stays, for validation to refuse. */
export function canonical(amounts: Quantities): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const quantity = tryParseQuantity(amount)
      return [name, quantity ? formatQuantity(roundUpToMilli(quantity)) : amount]
    }),
  )
}

function defaultEnv(env: NonNullable<Container['env']>[number]): typeof env {
  const fieldRef = env.valueFrom?.fieldRef
  return fieldRef
    ? { ...env, valueFrom: { ...env.valueFrom, fieldRef: { ...fieldRef, apiVersion: fieldRef.apiVersion ?? 'v1' } } }
    : env
}

function defaultProbe(probe: Probe): Probe {
  return {
    ...probe,
    ...(probe.httpGet && {
      httpGet: { ...probe.httpGet, path: probe.httpGet.path ?? '/', scheme: probe.httpGet.scheme ?? 'HTTP' },
    }),
    timeoutSeconds: probe.timeoutSeconds || 1,
    periodSeconds: probe.periodSeconds || 10,
    successThreshold: probe.successThreshold || 1,
    failureThreshold: probe.failureThreshold || 3,
  }
}

type Source = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

const TOKEN_SECONDS = 3600

/** What needs a gate that is closed by default is not kept. */
function defaultSource(source: Source): Source {
  const { downwardAPI, serviceAccountToken, ...others } = omit(source, 'clusterTrustBundle', 'podCertificate')
  return {
    ...others,
    ...(downwardAPI && { downwardAPI: defaultFiles(downwardAPI) }),
    ...(serviceAccountToken && { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, ...serviceAccountToken } }),
  }
}

function defaultFiles<T extends NonNullable<Source['downwardAPI']>>(files: T): T {
  const items = files.items?.map((item) =>
    item.fieldRef ? { ...item, fieldRef: { apiVersion: 'v1', ...item.fieldRef } } : item,
  )
  return items ? { ...files, items } : files
}

function defaultVolume(volume: Volume): Volume {
  const { name, ...sources } = volume
  return {
    name,
    ...(Object.keys(sources).length === 0 ? { emptyDir: {} } : sources),
    ...(volume.configMap && {
      configMap: { ...volume.configMap, defaultMode: volume.configMap.defaultMode ?? FILE_MODE },
    }),
    ...(volume.secret && { secret: { ...volume.secret, defaultMode: volume.secret.defaultMode ?? FILE_MODE } }),
    ...(volume.projected && {
      projected: {
        ...volume.projected,
        ...(volume.projected.sources && { sources: volume.projected.sources.map(defaultSource) }),
        defaultMode: volume.projected.defaultMode ?? FILE_MODE,
      },
    }),
    ...(volume.downwardAPI && {
      downwardAPI: { ...defaultFiles(volume.downwardAPI), defaultMode: volume.downwardAPI.defaultMode ?? FILE_MODE },
    }),
    ...(volume.hostPath && { hostPath: { ...volume.hostPath, type: volume.hostPath.type ?? '' } }),
  }
}
