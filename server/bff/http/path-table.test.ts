import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PathTable } from './path-table'

const at = (method: string, path: string) => ({ method, path })
const table = new PathTable([
  at('GET', '/api/v1/queues'),
  at('GET', '/api/v1/queues/{namespace}/{name}'),
  at('DELETE', '/api/v1/queues/{namespace}/{name}'),
  at('GET', '/api/v1/failovers/history'),
  at('POST', '/api/v1/failovers/{id}'),
  at('GET', '/api/v1/failovers/{id}'),
])

describe('a path', () => {
  test.each([
    ['GET', '/api/v1/queues', '/api/v1/queues', {}],
    ['HEAD', '/api/v1/queues', '/api/v1/queues', {}],
    ['GET', '/api/v1/queues/lab/main', '/api/v1/queues/{namespace}/{name}', { namespace: 'lab', name: 'main' }],
    [
      'DELETE',
      '/api/v1/queues/lab/a%2Fb%20c',
      '/api/v1/queues/{namespace}/{name}',
      { namespace: 'lab', name: 'a/b c' },
    ],
    ['GET', '/api/v1/failovers/history', '/api/v1/failovers/history', {}],
    ['GET', '/api/v1/failovers/%C3%BC', '/api/v1/failovers/{id}', { id: 'ü' }],
  ])('%s %s is %s', (method, path, template, params) => {
    expect(table.find(method, path)).toMatchObject({ found: 'endpoint', endpoint: { path: template }, params })
  })

  test.each([
    '/api/v1/queues/',
    '/api/v1/queues/lab',
    '/api/v1/queues/lab/',
    '/api/v1/queues/lab/main/',
    '/api/v1/queues/lab/main/x',
    '/api/v1/queuesx',
    '/API/v1/queues',
    '/api/v1//queues',
    '/api/v1/queues/lab/%',
    '/api/v1/queues/%ff/main',
    '//api/v1/queues',
  ])('%s is nothing', (path) => {
    expect(table.find('GET', path)).toEqual({ found: 'nothing' })
  })

  test('with another method lists the allowed ones', () => {
    expect(table.find('PUT', '/api/v1/queues/lab/main')).toEqual({
      found: 'methods',
      path: '/api/v1/queues/{namespace}/{name}',
      allowed: ['GET', 'HEAD', 'DELETE'],
    })
    expect(table.find('POST', '/api/v1/failovers/history')).toMatchObject({
      found: 'methods',
      allowed: ['GET', 'HEAD'],
    })
  })

  test('brings any text back that was put into it', () => {
    const text = fc.string({ minLength: 1 }).filter((one) => one.isWellFormed())
    fc.assert(
      fc.property(text, text, (namespace, name) => {
        const path = `/api/v1/queues/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`
        expect(table.find('GET', path)).toMatchObject({ found: 'endpoint', params: { namespace, name } })
      }),
      { seed: 41 },
    )
  })
})

test('two endpoints with one method and path are a mistake', () => {
  expect(() => new PathTable([at('GET', '/a/{b}'), at('GET', '/a/{b}')])).toThrow('GET /a/{b} is there twice')
})
