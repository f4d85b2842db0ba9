/** Objects outside namespaces that use what the plain samples leave out. */
import { selector } from './rich-pods'
import type { Row } from './sample-row'

export const richClusterScoped: readonly Row[] = [
  [
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOncePod'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 's',
        mountOptions: ['ro'],
        volumeMode: 'Block',
        csi: {
          driver: 'd.example.com',
          volumeHandle: 'h',
          fsType: 'ext4',
          volumeAttributes: { a: 'b' },
          nodePublishSecretRef: { name: 's', namespace: 'n' },
        },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'n', name: 'c' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
        },
      },
    },
    'status',
  ],
  [
    'storage.k8s.io',
    'v1',
    'storageclasses',
    'StorageClass',
    {
      provisioner: 'example.com/p',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      mountOptions: ['ro'],
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
    },
  ],
  [
    'rbac.authorization.k8s.io',
    'v1',
    'clusterroles',
    'ClusterRole',
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { none: '{{u}}' } }] } },
  ],
  [
    'admissionregistration.k8s.io',
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    {
      webhooks: [
        {
          name: 'b.example.com',
          admissionReviewVersions: ['v1', 'v1beta1'],
          sideEffects: 'NoneOnDryRun',
          clientConfig: { service: { name: 's', namespace: 'n', path: '/p', port: 8443 } },
          failurePolicy: 'Ignore',
          matchPolicy: 'Exact',
          namespaceSelector: { matchLabels: { none: '{{u}}' } },
          objectSelector: selector,
          matchConditions: [{ name: 'c', expression: "request.operation == 'CREATE'" }],
          rules: [
            {
              apiGroups: ['none.example.com'],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['nones', 'nones/status'],
              scope: 'Namespaced',
            },
          ],
        },
      ],
    },
  ],
]
