import { describe, expect, it } from 'vitest'
import type { Call } from './call'
import { inTodaysForm } from './old-watch-paths'

const ask = (method: string, url: string): string => {
  const [path = '', query = ''] = url.split('?')
  const call = inTodaysForm({ method, path, query: new URLSearchParams(query) } as Call)
  return `${call.path}?${decodeURIComponent(call.query.toString())}`
}

describe('the old path of a watch leads to the list', () => {
  it.each([
    ['GET', '/api/v1/watch/nodes?timeoutSeconds=1', '/api/v1/nodes?timeoutSeconds=1&watch=true'],
    ['GET', '/api/v1/watch/namespaces/a', '/api/v1/namespaces?watch=true&fieldSelector=metadata.name=a'],
    ['GET', '/api/v1/watch/namespaces/a/pods', '/api/v1/namespaces/a/pods?watch=true'],
    [
      'GET',
      '/apis/apps/v1/watch/namespaces/a/deployments/d?fieldSelector=metadata.namespace=a',
      '/apis/apps/v1/namespaces/a/deployments?fieldSelector=metadata.name=d,metadata.namespace=a&watch=true',
    ],
  ])('%s %s', (method, url, expected) => {
    expect(ask(method, url)).toBe(expected)
  })

  it.each([
    ['POST', '/api/v1/watch/nodes?'],
    ['GET', '/api/v1/namespaces/watch/pods?'],
    ['GET', '/api/v1/watch?'],
  ])('and nothing else does: %s %s', (method, url) => {
    expect(ask(method, url)).toBe(url)
  })
})
