import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ScriptUnavailable } from '@/lib/domain/interpreter'
import { resourceInterpreterCustomization as customizationKind } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { type Env, startEnv } from '@/server/testing/start-env'
import { createInterpreter, type Interpreter } from '.'
import type { SandboxOptions } from './sandbox'

let env: Env
let interpreter: Interpreter
beforeEach(async () => {
  env = await startEnv()
  borrow()
})
afterEach(async () => {
  await interpreter.close()
  await env.close()
})

function borrow(options: SandboxOptions = { timeoutMs: 5000 }): void {
  interpreter = createInterpreter(env.informers, options)
}

const TARGET = { apiVersion: 'example.io/v1', kind: 'Flock' }
const flock = (fields: object = {}): UnknownObject =>
  ({
    ...TARGET,
    metadata: { name: 'birds', namespace: 'default' },
    spec: { size: 3, tags: [], more: {} },
    ...fields,
  }) as unknown as UnknownObject

async function teach(customizations: Record<string, string>, name = 'flock'): Promise<void> {
  const scripts = Object.fromEntries(Object.entries(customizations).map(([field, luaScript]) => [field, { luaScript }]))
  await env.create(customizationKind, {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name },
    spec: { target: TARGET, customizations: scripts },
  })
  await env.eventually(() => expect(env.informers.of(customizationKind).get(name)).toBeDefined())
}

test('scripts handle every operation of their kind', async () => {
  await teach({
    healthInterpretation: 'function InterpretHealth(o) return o.status.ready == o.spec.size end',
    replicaResource: `
      local kube = require("kube")
      function GetReplicas(o) return o.spec.size, kube.accuratePodRequirements(o.spec.template) end`,
    replicaRevision: 'function ReviseReplica(o, n) o.spec.size = n return o end',
    statusReflection: 'function ReflectStatus(o) return { ready = o.status.ready } end',
    statusAggregation: `
      function AggregateStatus(o, items)
        o.status = { ready = 0 }
        for i = 1, #items do o.status.ready = o.status.ready + items[i].status.ready end
        return o
      end`,
    retention: 'function Retain(desired, observed) desired.spec.chosen = observed.spec.chosen return desired end',
    dependencyInterpretation: `
      local kube = require("kube")
      function GetDependencies(o) return kube.getPodDependencies(o.spec.template, o.metadata.namespace) end`,
  })
  const template = {
    spec: {
      containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }],
      volumes: [{ configMap: { name: 'seeds' } }],
    },
  }
  const birds = flock({ spec: { size: 3, tags: [], more: {}, template }, status: { ready: 3 } })
  expect(await interpreter.health(birds)).toBe(true)
  expect(await interpreter.health(flock({ status: { ready: 2 } }))).toBe(false)
  expect(await interpreter.replicas(birds)).toEqual({ replicas: 3, requirements: { resourceRequest: { cpu: '100m' } } })
  expect(await interpreter.revise(flock(), 5)).toEqual(flock({ spec: { size: 5, tags: [], more: {} } }))
  expect(await interpreter.reflect(birds)).toEqual({ ready: 3 })
  expect(
    await interpreter.aggregate(
      flock(),
      [
        { clusterName: 'a', status: { ready: 1 } },
        { clusterName: 'b', status: { ready: 2 } },
      ],
      { now: '' },
    ),
  ).toEqual({ ready: 3 })
  expect(await interpreter.retain(flock(), flock({ spec: { chosen: 'yes' } }))).toMatchObject({
    spec: { chosen: 'yes', tags: [] },
  })
  expect(await interpreter.dependencies(birds)).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'seeds' },
  ])
})

test('kinds without a script use the built-in rules', async () => {
  await teach({ healthInterpretation: 'function InterpretHealth(o) return false end' })
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    status: { phase: 'Succeeded' },
  } as unknown as UnknownObject
  expect([interpreter.isScripted(pod, 'health'), await interpreter.health(pod)]).toEqual([false, true])
  expect([
    interpreter.hasHealthRule(TARGET),
    interpreter.hasDependencyRule(TARGET),
    await interpreter.revise(flock(), 1),
  ]).toEqual([true, false, undefined])
})

describe('a harmful script is stopped, and the others run', () => {
  const good = { healthInterpretation: 'function InterpretHealth(o) return true end' }

  test.each([
    ['an endless loop', 'function InterpretHealth(o) while true do end end', 'did not end within 500 ms'],
    ['an endless loop while it is loaded', 'while true do end', 'did not end within 500 ms'],
    [
      'an endless loop that catches errors',
      'function InterpretHealth(o) while true do pcall(error) end end',
      'did not end within 500 ms',
    ],
    [
      'a pattern that never ends',
      'function InterpretHealth(o) return string.find(string.rep("a", 200), string.rep("a-", 50) .. "b") end',
      'did not end within 500 ms',
    ],
    [
      'more memory than there is',
      'function InterpretHealth(o) local t = {} for i = 1, 1e9 do t[i] = i end end',
      'not enough memory',
    ],
    ['one large text', 'function InterpretHealth(o) return #string.rep("x", 1e9) end', 'not enough memory'],
    ['endless recursion', 'function InterpretHealth(o) return 1 + InterpretHealth(o) end', 'not enough memory'],
    ['no such function', 'function Other() end', 'does not define the function InterpretHealth'],
    ['no Lua', 'x = = 1', 'unexpected symbol'],
    ['an error of its own', 'function InterpretHealth(o) return o.nothing.more end', 'nil value'],
    [
      'another answer',
      'function InterpretHealth(o) return "yes" end',
      'InterpretHealth answered a string instead of a boolean',
    ],
  ])('%s', async (...row) => {
    const [, luaScript, expected] = row
    await interpreter.close()
    // Errors take their own time; only endless scripts are waited for.
    borrow({ timeoutMs: expected.startsWith('did not end') ? 500 : 20_000 })
    await teach({ healthInterpretation: luaScript })
    await expect(interpreter.health(flock())).rejects.toThrow(expected)
    await env.client.delete(customizationKind, { name: 'flock' })
    await teach(good, 'good')
    await env.eventually(async () => expect(await interpreter.health(flock())).toBe(true))
  })

  test.each([
    [
      'a table 5,000 deep',
      'function InterpretHealth(o) local t = {} local at = t for i = 1, 5000 do at.x = {} at = at.x end return t end',
    ],
    ['a table that holds itself', 'function InterpretHealth(o) local t = {} t.x = t return t end'],
    ['an error that is a table', 'function InterpretHealth(o) error({}) end'],
    [
      'a deep call from kube',
      'local kube = require("kube")\nfunction InterpretHealth(o) local t = {} local at = t for i = 1, 5000 do at.x = {} at = at.x end return kube.getResourceQuantity(t) end',
    ],
  ])('%s costs the scripts of others nothing', async (_, luaScript) => {
    await interpreter.close()
    borrow({ timeoutMs: 5_000 })
    await teach({ healthInterpretation: luaScript })
    await teach({ replicaResource: 'function GetReplicas(o) return o.spec.size end' }, 'other')
    for (let times = 0; times < 3; times += 1) {
      await expect(interpreter.health(flock())).rejects.toThrow()
      expect(await interpreter.replicas(flock())).toMatchObject({ replicas: 3 })
    }
  })

  test('scripts that used up their budget are rejected for a while, and those of another customization are not', async () => {
    await interpreter.close()
    borrow({ timeoutMs: 20_000, budgetMs: 1 })
    await teach({
      healthInterpretation: 'function InterpretHealth(o) local n = 0 for i = 1, 3e6 do n = n + i end return true end',
    })
    await teach({ replicaResource: 'function GetReplicas(o) return o.spec.size end' }, 'other')
    expect(await interpreter.health(flock())).toBe(true)
    await expect(interpreter.health(flock())).rejects.toBeInstanceOf(ScriptUnavailable)
    expect(await interpreter.replicas(flock())).toMatchObject({ replicas: 3 })
  })

  test('a script that exceeded its time limit is not retried at once', async () => {
    await interpreter.close()
    borrow({ timeoutMs: 500 })
    await teach({ healthInterpretation: 'while true do end' })
    await expect(interpreter.health(flock())).rejects.toThrow('did not end')
    const start = performance.now()
    for (let times = 0; times < 20; times += 1) await expect(interpreter.health(flock())).rejects.toThrow('did not end')
    // A retry would take twice as long each time.
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test.each([
    'os',
    'io',
    'debug',
    'package',
    'coroutine',
    'utf8',
    'load',
    'loadfile',
    'dofile',
    'loadstring',
    'collectgarbage',
  ])('there is no %s', async (name) => {
    await teach({ healthInterpretation: `function InterpretHealth(o) return ${name} == nil end` })
    expect(await interpreter.health(flock())).toBe(true)
  })

  test('no state is carried over from one call to the next', async () => {
    await teach({
      healthInterpretation:
        'seen = seen or 0\nfunction InterpretHealth(o) seen = seen + 1 string.rep = nil return seen == 1 end',
    })
    expect([await interpreter.health(flock()), await interpreter.health(flock())]).toEqual([true, true])
  })

  test('only kube can be required', async () => {
    await teach({ healthInterpretation: 'function InterpretHealth(o) return not pcall(require, "os") end' })
    expect(await interpreter.health(flock())).toBe(true)
  })
})
