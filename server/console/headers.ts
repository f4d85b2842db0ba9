/** Security headers of every answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Surface } from './surface'

export interface HeaderOptions {
  /** The public URL of the console, if it differs from the listening address; https there means https only. */
  publicUrl?: string | undefined
  /** Identifies the build of the pages; passed on for their root element. */
  build?: string | undefined
}

/** Features that are never needed; https://www.w3.org/TR/permissions-policy/. */
const PERMISSIONS = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

/** For scripts, styles and fonts, in case one is opened as a document. */
const ASSET_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * The policy of a page. Scripts run only with the nonce of this answer, or when loaded by such a script. Styles come
 * from our files or have the nonce; `style` attributes in HTML are ignored. `host` is the checked Host header.
 */
export function pagePolicy({ nonce, host, secure }: { nonce: string; host: string; secure: boolean }): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "script-src-attr 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self'",
    "font-src 'self'",
    // In older browsers 'self' does not include a socket to the same host.
    `connect-src 'self' ${secure ? 'wss' : 'ws'}://${host}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

function policyOf(surface: Surface, page: Parameters<typeof pagePolicy>[0]): string {
  if (surface === 'page') return pagePolicy(page)
  return surface === 'asset' ? ASSET_POLICY : DATA_POLICY
}

/** Sets the headers of one answer, and passes to Next.js in request headers what the layout needs. */
export type HeaderSetter = (
  request: IncomingMessage,
  response: ServerResponse,
  about: { surface: Surface; nonce: string },
) => void

/** Headers for a console with these options. */
export function securityHeaders({ publicUrl, build }: HeaderOptions = {}): HeaderSetter {
  const publicHttps = publicUrl?.startsWith('https:') === true
  const strictTransportSecurity = publicHttps ? { maxAge: 365 * 86_400, includeSubDomains: false } : false
  const ofAnswer = helmet({
    contentSecurityPolicy: false,
    // A browser applies the first answer of an origin, which may be a proxy's error page without the header, and warns.
    originAgentCluster: false,
    // Requests still send their origin. URLs contain names of workloads, which other sites must not see.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity,
    xFrameOptions: { action: 'deny' },
  })
  const ofAsset = helmet({
    contentSecurityPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    strictTransportSecurity,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  return (request, response, { surface, nonce }) => {
    // Headers for documents only would be a twentieth of the bytes of a first load, if all its scripts had them.
    if (surface === 'asset') ofAsset(request, response, () => undefined)
    else {
      ofAnswer(request, response, () => undefined)
      response.setHeader('permissions-policy', PERMISSIONS)
    }
    const secure = publicHttps || (request.socket as { encrypted?: boolean }).encrypted === true
    const host = request.headers.host ?? ''
    const policy = policyOf(surface, { nonce, host, secure })
    response.setHeader('content-security-policy', policy)
    // A header of the client would be taken for ours.
    delete request.headers['x-nonce']
    delete request.headers['x-path']
    delete request.headers['x-build']
    delete request.headers['content-security-policy']
    delete request.headers['content-security-policy-report-only']
    if (surface !== 'page') return
    request.headers['content-security-policy'] = policy
    request.headers['x-nonce'] = nonce
    request.headers['x-path'] = (request.url ?? '/').split('?', 1)[0]
    if (build !== undefined) request.headers['x-build'] = build
  }
}
