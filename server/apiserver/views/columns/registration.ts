/** Columns of certificate requests and of the registrations of API versions. */
import type { UnknownObject } from '@/lib/kube/object'
import { durationText } from '../age'
import { age, type Column, textColumn } from './column'
import { array, at, NONE, text } from './reading'

function requestCondition(object: UnknownObject): string {
  const types = new Set(array(at(object, 'status.conditions')).map(({ type }) => type))
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${at(object, 'status.certificate') ? ',Issued' : ''}`
}

function requestedDuration(object: UnknownObject): string {
  const seconds = at(object, 'spec.expirationSeconds')
  return typeof seconds === 'number' ? durationText(seconds) : NONE
}

function availability(object: UnknownObject): string {
  const found = array(at(object, 'status.conditions')).find(({ type }) => type === 'Available')
  if (!found) return 'Unknown'
  const status = text(found.status, '')
  return status === 'True' || !found.reason ? status : `${status} (${text(found.reason)})`
}

function serviceOf(object: UnknownObject): string {
  const { namespace = '', name = '' } = (at(object, 'spec.service') ?? {}) as { namespace?: string; name?: string }
  return at(object, 'spec.service') ? `${namespace}/${name}` : 'Local'
}

export const registrationColumns: Readonly<Record<string, readonly Column[]>> = {
  'certificatesigningrequests.certificates.k8s.io': [
    age,
    textColumn('SignerName', (object) => text(at(object, 'spec.signerName'))),
    textColumn('Requestor', (object) => text(at(object, 'spec.username'), '')),
    textColumn('RequestedDuration', requestedDuration),
    textColumn('Condition', requestCondition),
  ],
  'apiservices.apiregistration.k8s.io': [textColumn('Service', serviceOf), textColumn('Available', availability), age],
}
