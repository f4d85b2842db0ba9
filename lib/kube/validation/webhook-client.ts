/** Where a webhook listens, checked as kube-apiserver does. */
import { type FieldError, invalidField, requiredField } from '../field-error'
import type { WebhookClientConfig } from '../kinds/admission-webhook'
import { checkSubdomain } from './formats'

/** Exactly one place. Plain HTTP is for loopback addresses alone. */
export function validateClientConfig({ url, service }: WebhookClientConfig, field: string): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [requiredField(field, 'exactly one of url or service is required')]
  }
  return service ? checkService(service, `${field}.service`) : checkUrl(url as string, `${field}.url`)
}

const FORM = '; desired format: https://host[/path]'
const URL_PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#@]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/** The part of a URL that names the server, when it is this machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host)
}

function checkUrl(url: string, field: string): FieldError[] {
  const problem = unreadable(url)
  if (problem) return [requiredField(field, `url must be a valid URL: parse ${JSON.stringify(url)}: ${problem}${FORM}`)]
  const [, scheme = '', user = '', host = '', , query = '', fragment = ''] = URL_PARTS.exec(url) as RegExpExecArray
  const secure = scheme.toLowerCase() === 'https' || (scheme.toLowerCase() === 'http' && isLoopbackHost(host))
  const wrong = (value: string, detail: string): FieldError => invalidField(field, value, detail)
  return [
    ...(secure ? [] : [wrong(scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [wrong(host, `host must be specified${FORM}`)] : []),
    ...(user === '' ? [] : [wrong(user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [wrong(fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [wrong(query, 'query parameters are not permitted in the URL')]),
  ]
}

/** A relative path must not be taken for a scheme. */
function startsLikeScheme(url: string): boolean {
  const [, scheme, , , path = ''] = URL_PARTS.exec(url) ?? []
  return scheme === undefined && !url.startsWith('/') && (path.split('/', 1)[0] ?? '').includes(':')
}

/** Why a text is no URL at all, in the words of Go. */
function unreadable(url: string): string | undefined {
  if (/\p{Cc}/u.test(url)) return 'net/url: invalid control character in URL'
  if (url.startsWith(':')) return 'missing protocol scheme'
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(url)
  if (escape) return `invalid URL escape ${JSON.stringify(escape[0])}`
  if (!URL_PARTS.test(url)) return 'net/url: invalid userinfo'
  if (startsLikeScheme(url)) return 'first path segment in URL cannot contain colon'
  const host = URL_PARTS.exec(url)?.[3] ?? ''
  if (/\s/.test(host)) return 'invalid character " " in host name'
  const port = /:(?!\d*$)[^\]]*$/.exec(host)
  return port && !host.endsWith(']') ? `invalid port ${JSON.stringify(port[0])} after host` : undefined
}

type ServiceReference = NonNullable<WebhookClientConfig['service']>

/** The real server confuses the two names: each is missed under the name of the other. */
function checkService({ name, namespace, path, port }: ServiceReference, field: string): FieldError[] {
  const isPort = port === undefined || (port >= 1 && port <= 65_535)
  const noPort = 'port is not valid: must be between 1 and 65535, inclusive'
  return [
    ...(namespace ? [] : [requiredField(`${field}.name`)]),
    ...(name ? [] : [requiredField(`${field}.namespace`)]),
    ...(isPort ? [] : [invalidField(`${field}.port`, port, noPort)]),
    ...checkPath(path ?? '').map((problem) => invalidField(`${field}.path`, path, problem)),
  ]
}

function checkPath(path: string): string[] {
  if (path === '' || path === '/') return []
  if (path === '//') return ['segment[0] may not be empty']
  const segments = path.slice(1).replace(/\/$/, '').split('/')
  return [
    ...(path.startsWith('/') ? [] : ["must start with a '/'"]),
    ...segments.flatMap((segment, index) => {
      if (segment === '') return [`segment[${index}] may not be empty`]
      return checkSubdomain(segment).map((problem) => `segment[${index}]: ${problem}`)
    }),
  ]
}
