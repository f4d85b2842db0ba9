/** The defaults of pods and pod templates. */
import { omit } from '@/lib/std/omit'
import type { Container, PodSpec, Probe } from '../kinds'
import { formatQuantity, roundUpToMilli, tryParseQuantity } from '../quantity'
import { pullPolicyOf } from './image'
import { defaultVolume, withDivisor } from './volumes'

type Quantities = Record<string, number | string>

/** Applies the defaults of a pod spec on which the kubelet and the scheduler rely. Templates keep missing requests. */
export function defaultPodSpec(given: PodSpec, { isTemplate }: { isTemplate: boolean }): PodSpec {
  // What needs a gate that is closed by default is not kept.
  const spec = omit(given, 'schedulingGroup')
  const complete = (container: Container): Container => defaultContainer(container, isTemplate)
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(complete) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(complete) }),
    ...(spec.ephemeralContainers && { ephemeralContainers: spec.ephemeralContainers.map(complete) }),
    ...(spec.volumes && { volumes: spec.volumes.map(defaultVolume) }),
    ...(spec.affinity?.nodeAffinity && { affinity: defaultAffinity(spec.affinity) }),
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    ...serviceAccountOf(spec),
    securityContext: securityOf(spec.securityContext ?? {}),
    schedulerName: spec.schedulerName ?? 'default-scheduler',
  }
}

type Affinity = NonNullable<PodSpec['affinity']>
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

/** A wish without a term is one for any node. */
function defaultAffinity({ nodeAffinity, ...others }: Affinity): Affinity {
  const wishes = nodeAffinity?.[PREFERRED]?.map((wish) => ({ ...wish, preference: wish.preference ?? {} }))
  return { nodeAffinity: { ...nodeAffinity, ...(wishes && { [PREFERRED]: wishes }) }, ...others }
}

type Security = NonNullable<PodSpec['securityContext']>

/** A setting without a value has an empty one. */
function securityOf({ sysctls, ...context }: Security): Security {
  return { ...context, ...(sysctls && { sysctls: sysctls.map((one) => ({ ...one, value: one.value ?? '' })) }) }
}

/** The old and the new name of the same field. */
function serviceAccountOf(spec: PodSpec): Pick<PodSpec, 'serviceAccount' | 'serviceAccountName'> {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  return name === undefined ? {} : { serviceAccountName: name, serviceAccount: name }
}

function defaultContainer(container: Container, isTemplate: boolean): Container {
  return {
    ...omit(container, 'lifecycle'),
    resources: defaultResources(container.resources ?? {}, isTemplate),
    ...(container.ports && { ports: container.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }),
    ...(container.env && { env: container.env.map(defaultEnv) }),
    ...(container.livenessProbe && { livenessProbe: defaultProbe(container.livenessProbe) }),
    ...(container.readinessProbe && { readinessProbe: defaultProbe(container.readinessProbe) }),
    ...(container.startupProbe && { startupProbe: defaultProbe(container.startupProbe) }),
    ...lifecycleOf(container),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    imagePullPolicy: container.imagePullPolicy ?? pullPolicyOf(container.image ?? ''),
  }
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
  const { fieldRef, fileKeyRef, resourceFieldRef } = env.valueFrom ?? {}
  if (!fieldRef && !fileKeyRef && !resourceFieldRef) return env
  return {
    ...env,
    valueFrom: {
      ...env.valueFrom,
      ...(fieldRef && { fieldRef: { ...fieldRef, apiVersion: fieldRef.apiVersion ?? 'v1' } }),
      ...(resourceFieldRef && { resourceFieldRef: withDivisor(resourceFieldRef) }),
      ...(fileKeyRef && { fileKeyRef: { ...fileKeyRef, optional: fileKeyRef.optional ?? false } }),
    },
  }
}

type Lifecycle = NonNullable<Container['lifecycle']>

/** A signal of its own needs a gate that is closed by default. */
function lifecycleOf({ lifecycle }: Container): Pick<Container, 'lifecycle'> {
  if (!lifecycle) return {}
  const { postStart, preStop } = lifecycle
  if (lifecycle.stopSignal !== undefined && !postStart && !preStop) return {}
  return {
    lifecycle: {
      ...(postStart && { postStart: defaultHandler(postStart) }),
      ...(preStop && { preStop: defaultHandler(preStop) }),
    },
  }
}

function defaultHandler(handler: NonNullable<Lifecycle['preStop']>): typeof handler {
  return { ...handler, ...(handler.httpGet && { httpGet: defaultHttpGet(handler.httpGet) }) }
}

function defaultHttpGet(httpGet: NonNullable<Probe['httpGet']>): typeof httpGet {
  const { httpHeaders } = httpGet
  return {
    ...httpGet,
    ...(httpHeaders && { httpHeaders: httpHeaders.map((one) => ({ ...one, value: one.value ?? '' })) }),
    path: httpGet.path || '/',
    scheme: httpGet.scheme || 'HTTP',
  }
}

function defaultProbe(probe: Probe): Probe {
  return {
    ...probe,
    ...(probe.httpGet && { httpGet: defaultHttpGet(probe.httpGet) }),
    ...(probe.grpc && { grpc: { ...probe.grpc, service: probe.grpc.service ?? '' } }),
    timeoutSeconds: probe.timeoutSeconds || 1,
    periodSeconds: probe.periodSeconds || 10,
    successThreshold: probe.successThreshold || 1,
    failureThreshold: probe.failureThreshold || 3,
  }
}
