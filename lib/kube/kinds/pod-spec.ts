/** `v1.PodSpec`, shared by Pod and by every workload's template. */
import { type Infer, array, boolean, int32, int64, map, object, oneOf, quantity, string } from '../schema'
import { affinity, toleration, topologySpreadConstraint } from './affinity'
import { container, ephemeralContainer, resourceRequirements } from './container'
import { atomicList, atomicStrings, keyedList, keyedUnionList } from './lists'
import { localObjectReference } from './object-reference'
import { confinement } from './security-profiles'
import { volume } from './volume'

const podSecurityContext = object({
  ...confinement,
  fsGroup: int64(),
  fsGroupChangePolicy: string(),
  runAsGroup: int64(),
  runAsNonRoot: boolean(),
  runAsUser: int64(),
  seLinuxChangePolicy: string(),
  supplementalGroups: atomicList(int64()),
  supplementalGroupsPolicy: string(),
  sysctls: atomicList(object({ name: string(), value: string() }, { required: ['name', 'value'] })),
})

const podResourceClaim = object(
  { name: string(), resourceClaimName: string(), resourceClaimTemplateName: string() },
  { required: ['name'] },
)

/** Containers of a pod, and its scheduling rules. */
export const podSpec = object(
  {
    activeDeadlineSeconds: int64(),
    affinity,
    automountServiceAccountToken: boolean(),
    containers: keyedList(container, 'name'),
    dnsConfig: object({
      nameservers: atomicStrings(),
      options: atomicList(object({ name: string(), value: string() })),
      searches: atomicStrings(),
    }),
    dnsPolicy: oneOf(['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
    enableServiceLinks: boolean(),
    ephemeralContainers: keyedList(ephemeralContainer, 'name'),
    hostAliases: keyedList(object({ hostnames: atomicStrings(), ip: string() }, { required: ['ip'] }), 'ip'),
    hostIPC: boolean(),
    hostNetwork: boolean(),
    hostPID: boolean(),
    hostUsers: boolean(),
    hostname: string(),
    hostnameOverride: string(),
    imagePullSecrets: keyedList(localObjectReference, 'name'),
    initContainers: keyedList(container, 'name'),
    nodeName: string(),
    nodeSelector: map(string(), { 'x-kubernetes-map-type': 'atomic' }),
    os: object({ name: string() }, { required: ['name'] }),
    overhead: map(quantity()),
    preemptionPolicy: oneOf(['Never', 'PreemptLowerPriority']),
    priority: int32(),
    priorityClassName: string(),
    readinessGates: atomicList(object({ conditionType: string() }, { required: ['conditionType'] })),
    resourceClaims: keyedUnionList(podResourceClaim, 'name'),
    resources: resourceRequirements,
    restartPolicy: oneOf(['Always', 'OnFailure', 'Never']),
    runtimeClassName: string(),
    schedulerName: string(),
    schedulingGates: keyedList(object({ name: string() }, { required: ['name'] }), 'name'),
    securityContext: podSecurityContext,
    serviceAccount: string(),
    serviceAccountName: string(),
    setHostnameAsFQDN: boolean(),
    shareProcessNamespace: boolean(),
    subdomain: string(),
    terminationGracePeriodSeconds: int64(),
    tolerations: atomicList(toleration),
    topologySpreadConstraints: array(topologySpreadConstraint, {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'topologyKey',
    }),
    volumes: keyedUnionList(volume, 'name'),
    schedulingGroup: object({ podGroupName: string() }),
  },
  { required: ['containers'] },
)

export type PodSpec = Infer<typeof podSpec>
