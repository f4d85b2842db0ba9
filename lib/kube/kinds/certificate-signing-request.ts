import { defineKind, type ObjectOf } from '../kind'
import { array, type Infer, int32, map, object, string, time } from '../schema'
import { atomicStrings } from './lists'

const condition = object(
  {
    lastTransitionTime: time(),
    lastUpdateTime: time(),
    message: string(),
    reason: string(),
    status: string(),
    type: string(),
  },
  { required: ['type', 'status'] },
)

/** Requests a certificate from a signer, which signs it after approval. */
export const certificateSigningRequest = defineKind({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          expirationSeconds: int32(),
          extra: map(atomicStrings()),
          groups: atomicStrings(),
          request: string({ format: 'byte' }),
          signerName: string(),
          uid: string(),
          usages: atomicStrings(),
          username: string(),
        },
        { required: ['request', 'signerName'] },
      ),
      status: object({
        certificate: string({ format: 'byte' }),
        conditions: array(condition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
      }),
    },
    { required: ['spec'] },
  ),
})

export type CertificateSigningRequest = ObjectOf<typeof certificateSigningRequest>
export type CertificateCondition = Infer<typeof condition>
