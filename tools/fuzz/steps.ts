/**
 * Steps of a fuzzing sequence as data, so that a finding can be saved, minimized and repeated. Values of one run
 * (ports, tokens, cookies) are filled in when a step is executed.
 */

/** One request to the API server, as `as` (by impersonation), or as the administrator. */
export interface RequestStep {
  do: 'request'
  method: string
  /** With its query. */
  path: string
  as?: string
  /** Media type of the body. Default `application/json`. */
  type?: string
  body?: string
  headers?: Readonly<Record<string, string>>
  /** Part of the stage on which the sequence plays: never left out when a finding is made smaller. */
  setup?: true
}

/** Bytes on a connection to the API server, base64. `FUZZ-TOKEN` in them stands for the token of the tenant. */
export interface RawStep {
  do: 'raw'
  bytes: string
}

/** Reads a path until the answer satisfies the condition, at most ten seconds. */
export interface WaitStep {
  do: 'wait'
  path: string
  /** `there`: answered 200; `gone`: 404; or a text that the answer must contain. */
  for: 'there' | 'gone' | { text: string }
  /** The problem if it is never reached. Default: none, the sequence continues. */
  otherwise?: string
  setup?: true
}

/** Packets on one live connection of the tenant: texts as they are, bytes as base64. */
export interface FramesStep {
  do: 'frames'
  packets: readonly (string | { base64: string })[]
  /** Listen until this was received. Default: a moment. */
  until?: string
}

/** A request to the console with these cookies. `{name}` is the session cookie's name, `{value}` its value. */
export interface CookieStep {
  do: 'cookie'
  cookie: string
  /** Where the session's value is changed: the position as a share of its length, and the replacement. */
  change?: { at: number; remove: number; insert: string }
}

export type Step = RequestStep | RawStep | WaitStep | FramesStep | CookieStep

/** The response. `status` 0: none in time; `texts` are the frames of a live connection. */
export interface StepAnswer {
  status: number
  body: string
  /** What is wrong with the form of the answer. */
  complaint?: string
}

/** The user that sequences act as by token and cookie; the administrator of the namespace `default` and nothing else. */
export const TENANT = 'system:serviceaccount:fuzz:tenant'

/** Placeholder for the tenant's token in raw bytes. */
export const TOKEN_PLACEHOLDER = 'FUZZ-TOKEN'

/** A request with a JSON body. */
export function request(
  method: string,
  path: string,
  body?: unknown,
  more: Partial<Omit<RequestStep, 'do'>> = {},
): RequestStep {
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  return { do: 'request', method, path, ...text, ...more }
}

/** The same as part of the stage. */
export function setup(method: string, path: string, body?: unknown, more: Partial<RequestStep> = {}): RequestStep {
  return request(method, path, body, { ...more, setup: true })
}

/** Media types of the patches that the API server takes. */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const
