/** Parts of pods that use what the plain samples leave out. */

export const labels = { app: 'web' }
export const selector = { matchLabels: labels }
export const plain = { name: 'c', image: 'nginx:1.25' }

export const busyContainer = {
  name: 'c',
  image: 'nginx',
  command: ['sh'],
  args: ['-c', 'x'],
  workingDir: '/w',
  ports: [{ containerPort: 80, hostPort: 8080, hostIP: '10.1.1.1', protocol: 'TCP', name: 'http' }],
  env: [
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'm', key: 'k', optional: true } } },
    { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
    { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ],
  envFrom: [{ prefix: 'P_', configMapRef: { name: 'm' } }, { secretRef: { name: 's', optional: true } }],
  resources: { requests: { cpu: '100m', 'example.com/d': '1' }, limits: { memory: '1Gi', 'example.com/d': '1' } },
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  lifecycle: { postStart: { exec: { command: ['x'] } }, preStop: { httpGet: { port: 80, path: '/stop' } } },
  livenessProbe: { exec: { command: ['true'] }, periodSeconds: 5, terminationGracePeriodSeconds: 3 },
  readinessProbe: { tcpSocket: { port: 'http' }, successThreshold: 2 },
  startupProbe: { grpc: { port: 9000, service: 's' }, failureThreshold: 30 },
  volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a', readOnly: true, mountPropagation: 'None' }],
  terminationMessagePolicy: 'FallbackToLogsOnError',
  imagePullPolicy: 'Never',
  stdin: true,
}

export const guardedContainer = {
  ...plain,
  securityContext: {
    runAsUser: 1000,
    runAsNonRoot: true,
    privileged: false,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
    seLinuxOptions: { level: 's0' },
    appArmorProfile: { type: 'Localhost', localhostProfile: 'a' },
  },
}

/** Where its pods want to be. */
export const placement = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
            matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
          },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, preference: { matchExpressions: [{ key: 'cpus', operator: 'Gt', values: ['3'] }] } },
      ],
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: selector, topologyKey: 'zone', namespaces: ['n'], matchLabelKeys: ['hash'] },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, podAffinityTerm: { labelSelector: selector, namespaceSelector: {}, topologyKey: 'host' } },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
      nodeAffinityPolicy: 'Honor',
      matchLabelKeys: ['hash'],
    },
  ],
  tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 5 }],
}

export const volumes = [
  { name: 'v', hostPath: { path: '/v', type: 'Directory' } },
  { name: 'e', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
  { name: 's', secret: { secretName: 's', defaultMode: 0o400, items: [{ key: 'k', path: 'p/q', mode: 0o600 }] } },
  { name: 'c', csi: { driver: 'd.example.com', volumeAttributes: { a: 'b' }, nodePublishSecretRef: { name: 's' } } },
  { name: 'n', nfs: { server: 'a', path: '/b' } },
  { name: 'i', image: { reference: 'x:1' } },
  {
    name: 'p',
    projected: {
      sources: [
        { serviceAccountToken: { path: 't', audience: 'a', expirationSeconds: 900 } },
        { configMap: { name: 'm', items: [{ key: 'k', path: 'm' }] } },
        { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      ],
    },
  },
  {
    name: 'q',
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  },
]

export const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
