/** Validates object names as Kubernetes does, for forms and for the server. */
import { type Message, message } from '../messages/message'

/** Returns why a text is not a valid object name; undefined if it is. */
export function nameProblem(text: string): Message | undefined {
  if (text.length > MAX_NAME_LENGTH) return message('common.name.tooLong', { most: MAX_NAME_LENGTH })
  return DNS_1123_SUBDOMAIN.test(text) ? undefined : message('common.name.invalid')
}

const DNS_1123_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const MAX_NAME_LENGTH = 253
