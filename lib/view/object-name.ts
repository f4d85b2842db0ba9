/** Names of objects as Kubernetes takes them, for forms and for the server. */

/** Why a text cannot be the name of an object; undefined when it can. */
export function nameProblem(text: string): string | undefined {
  if (text.length > MOST_NAME_LENGTH) return `must have at most ${MOST_NAME_LENGTH} characters`
  return DNS_1123_SUBDOMAIN.test(text)
    ? undefined
    : 'must consist of lower case letters, digits, "-" and ".", and begin and end with a letter or a digit'
}

const DNS_1123_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const MOST_NAME_LENGTH = 253
