/** Objects that use what the plain samples leave out, so that it is spoiled, patched and applied too. */
import { busyContainer, claim, guardedContainer, labels, placement, plain, selector, volumes } from './rich-pods'
import type { Row } from './sample-row'

export const richNamespaced: readonly Row[] = [
  [
    '',
    'v1',
    'pods',
    'Pod',
    {
      spec: {
        containers: [busyContainer],
        initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 1 } } }],
        volumes,
        serviceAccountName: 'a',
        terminationGracePeriodSeconds: 10,
        enableServiceLinks: false,
      },
    },
    'status',
  ],
  [
    '',
    'v1',
    'pods',
    'Pod',
    {
      spec: {
        ...placement,
        containers: [guardedContainer],
        securityContext: {
          fsGroup: 1,
          fsGroupChangePolicy: 'OnRootMismatch',
          supplementalGroups: [1],
          sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }],
        },
        hostAliases: [{ ip: '10.1.1.1', hostnames: ['a.b'] }],
        dnsPolicy: 'None',
        dnsConfig: { nameservers: ['10.1.1.1'], searches: ['a.b'], options: [{ name: 'ndots', value: '2' }] },
        readinessGates: [{ conditionType: 'example.com/ready' }],
        schedulingGates: [{ name: 'example.com/gate' }],
        os: { name: 'linux' },
        hostname: 'h',
        subdomain: 's',
        imagePullSecrets: [{ name: 'p' }],
      },
    },
    'status',
  ],
  [
    'apps',
    'v1',
    'deployments',
    'Deployment',
    {
      spec: {
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 1 } },
        minReadySeconds: 5,
        progressDeadlineSeconds: 60,
        revisionHistoryLimit: 3,
        template: {
          metadata: { labels, annotations: { a: 'b' } },
          spec: { ...placement, containers: [busyContainer], volumes },
        },
      },
    },
    'status scale',
  ],
  [
    'apps',
    'v1',
    'statefulsets',
    'StatefulSet',
    {
      spec: {
        serviceName: 's',
        selector,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
        ordinals: { start: 1 },
        template: {
          metadata: { labels },
          spec: { containers: [{ ...plain, volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
        },
        volumeClaimTemplates: [claim],
      },
    },
    'status scale',
  ],
  [
    'apps',
    'v1',
    'daemonsets',
    'DaemonSet',
    {
      spec: {
        selector,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '20%' } },
        template: { metadata: { labels }, spec: { containers: [plain], hostNetwork: true, hostPID: true } },
      },
    },
    'status',
  ],
  [
    'batch',
    'v1',
    'jobs',
    'Job',
    {
      spec: {
        completionMode: 'Indexed',
        completions: 4,
        parallelism: 2,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 1,
        suspend: true,
        ttlSecondsAfterFinished: 5,
        podFailurePolicy: {
          rules: [
            { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] } },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          ],
        },
        successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 1 }] },
        template: { spec: { restartPolicy: 'Never', containers: [plain], nodeSelector: { a: 'b' } } },
      },
    },
    'status',
  ],
  [
    'batch',
    'v1',
    'cronjobs',
    'CronJob',
    {
      spec: {
        schedule: '0 3 * * 1-5',
        timeZone: 'Europe/Berlin',
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 60,
        successfulJobsHistoryLimit: 1,
        jobTemplate: {
          metadata: { labels },
          spec: { backoffLimit: 1, template: { spec: { restartPolicy: 'Never', containers: [plain] } } },
        },
      },
    },
    'status',
  ],
  [
    'autoscaling',
    'v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    {
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'c', target: { type: 'AverageValue', averageValue: '1' } },
          },
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1k' } } },
          {
            type: 'Object',
            object: {
              describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
              metric: { name: 'm', selector },
              target: { type: 'Value', value: '5' },
            },
          },
          { type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '30' } } },
        ],
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] },
          scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }] },
        },
      },
    },
    'status',
  ],
  [
    '',
    'v1',
    'services',
    'Service',
    {
      spec: {
        type: 'LoadBalancer',
        allocateLoadBalancerNodePorts: false,
        loadBalancerClass: 'example.com/lb',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        externalIPs: ['10.1.2.3'],
        trafficDistribution: 'PreferClose',
        selector: labels,
        ports: [
          { name: 'a', port: 80, targetPort: 8080, appProtocol: 'http' },
          { name: 'b', port: 80, protocol: 'UDP' },
        ],
      },
    },
    'status',
  ],
  ['', 'v1', 'services', 'Service', { spec: { type: 'ExternalName', externalName: 'a.example.com' } }, 'status'],
  ['', 'v1', 'services', 'Service', { spec: { clusterIP: 'None', publishNotReadyAddresses: true } }, 'status'],
  [
    '',
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    {
      spec: {
        accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
        volumeMode: 'Block',
        resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
        selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
        dataSourceRef: { apiGroup: 'example.com', kind: 'Thing', name: 't' },
        volumeAttributesClassName: 'fast',
      },
    },
    'status',
  ],
  [
    'networking.k8s.io',
    'v1',
    'ingresses',
    'Ingress',
    {
      spec: {
        ingressClassName: 'c',
        defaultBackend: { resource: { apiGroup: 'example.com', kind: 'Thing', name: 't' } },
        rules: [
          {
            host: '*.example.com',
            http: {
              paths: [
                {
                  path: '/a',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's', port: { name: 'http' } } },
                },
              ],
            },
          },
        ],
      },
    },
    'status',
  ],
  [
    'networking.k8s.io',
    'v1',
    'networkpolicies',
    'NetworkPolicy',
    {
      spec: {
        podSelector: {},
        policyTypes: ['Egress', 'Ingress'],
        ingress: [{ from: [{ podSelector: selector, namespaceSelector: {} }], ports: [{ port: 80, endPort: 90 }] }],
        egress: [
          {
            to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
            ports: [{ protocol: 'UDP', port: 'd' }],
          },
        ],
      },
    },
  ],
  [
    'policy',
    'v1',
    'poddisruptionbudgets',
    'PodDisruptionBudget',
    { spec: { maxUnavailable: '30%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    'status',
  ],
  [
    'discovery.k8s.io',
    'v1',
    'endpointslices',
    'EndpointSlice',
    {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.2.3'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h',
          nodeName: 'n',
          zone: 'z',
          hints: { forZones: [{ name: 'z' }] },
          targetRef: { kind: 'Pod', name: 'p', namespace: '{{ns}}' },
        },
      ],
      ports: [
        { name: 'a', port: 80, appProtocol: 'http' },
        { name: 'b', port: 81, protocol: 'UDP' },
      ],
    },
  ],
  [
    '',
    'v1',
    'resourcequotas',
    'ResourceQuota',
    {
      spec: {
        hard: { 'count/deployments.apps': '5', 'requests.storage': '10Gi' },
        scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
      },
    },
    'status',
  ],
  [
    '',
    'v1',
    'limitranges',
    'LimitRange',
    {
      spec: {
        limits: [
          { type: 'Pod', max: { cpu: '4' }, min: { cpu: '100m' }, maxLimitRequestRatio: { cpu: '10' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
        ],
      },
    },
  ],
  [
    '',
    'v1',
    'secrets',
    'Secret',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': 'AAEC', 'tls.key': 'AAEC' }, immutable: true },
  ],
]
