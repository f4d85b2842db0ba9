import { afterEach, beforeEach, expect, test } from 'vitest'
import { resourceInterpreterCustomization as customizationKind } from '@/lib/kube/kinds'
import { type Env, startEnv } from '@/server/testing/start-env'
import { interpreterCustomizationController } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(interpreterCustomizationController(env.context()))
})
afterEach(() => env.close())

test('of several scripts the invalid ones are named', async () => {
  await env.create(customizationKind, {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'things' },
    spec: {
      target: { apiVersion: 'example.io/v1', kind: 'Thing' },
      customizations: {
        healthInterpretation: { luaScript: 'while true do end' },
        retention: { luaScript: 'function Retain(desired, observed) return desired end' },
        statusReflection: { luaScript: 'function Reflect(o) return o.status end' },
      },
    },
  })
  await env.eventually(async () => {
    const events = await env.recordedEvents()
    expect(events.map(({ involvedObject, reason, message }) => [involvedObject.name, reason, message])).toEqual([
      ['things', 'ScriptUnusable', 'InterpretHealth: the script did not end within 1000 ms'],
      ['things', 'ScriptUnusable', 'ReflectStatus: the script does not define the function ReflectStatus'],
    ])
  })
})
