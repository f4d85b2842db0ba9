/** Scripts of interpreter customizations: after each of them the script of another kind must still be answered. */
import type { Rng } from '@/lib/std/rng'
import { breakText, chance, pick } from '../broken/mutate'
import { LUA_NAMESPACE } from '../stage'
import { request, type Step } from '../steps'
import type { Target } from '../target'
import { size, times } from '../text'

const CUSTOMIZATIONS = '/apis/config.karmada.io/v1alpha1/resourceinterpretercustomizations'
const JOBS = `/apis/batch/v1/namespaces/${LUA_NAMESPACE}/jobs`
const STATEFUL_SETS = `/apis/apps/v1/namespaces/${LUA_NAMESPACE}/statefulsets`
const BINDINGS = `/apis/work.karmada.io/v1alpha2/namespaces/${LUA_NAMESPACE}/resourcebindings`

const functions = {
  replicaResource: ['GetReplicas', 'desiredObj'],
  dependencyInterpretation: ['GetDependencies', 'desiredObj'],
  replicaRevision: ['ReviseReplica', 'desiredObj, desiredReplica'],
  retention: ['Retain', 'desiredObj, observedObj'],
  statusReflection: ['ReflectStatus', 'observedObj'],
  healthInterpretation: ['InterpretHealth', 'observedObj'],
} as const

export const lua: Target = {
  name: 'lua',
  generate: (rng, name) => {
    const kinds = Object.keys(functions) as (keyof typeof functions)[]
    const chosen = kinds.filter((_, index) => index === 0 || chance(rng, 0.3))
    const customizations = Object.fromEntries(chosen.map((kind) => [kind, { luaScript: script(rng, functions[kind]) }]))
    return {
      name,
      steps: [
        request('POST', CUSTOMIZATIONS, {
          apiVersion: 'config.karmada.io/v1alpha1',
          kind: 'ResourceInterpreterCustomization',
          metadata: { name },
          spec: { target: { apiVersion: 'batch/v1', kind: 'Job' }, customizations },
        }),
        ...times(1 + rng.below(3), (n) => job(rng, `${name}-${n}`)),
        request('POST', STATEFUL_SETS, {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: { name },
          spec: {
            replicas: 0,
            serviceName: 'x',
            selector: { matchLabels: { app: name } },
            template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          },
        }),
        {
          do: 'wait',
          path: `${BINDINGS}/${name}-statefulset`,
          for: { text: '"replicas":7' },
          otherwise: 'the script of another kind was not answered within ten seconds',
        },
      ],
      cleanup: [
        request('DELETE', `${CUSTOMIZATIONS}/${name}`),
        request('DELETE', `${STATEFUL_SETS}/${name}`),
        request('DELETE', `${JOBS}?propagationPolicy=Background`),
      ],
    }
  },
}

function job(rng: Rng, name: string): Step {
  const annotations = Object.fromEntries(times(size(rng, 300), (n) => [`a${n}`, 'a'.repeat(size(rng, 500))]))
  return request('POST', JOBS, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  })
}

const results = [
  'return 1, {}',
  'return 1',
  'return',
  'return -1, nil',
  'return 1e308, {}',
  'return "x", {}',
  'return {}, 1',
  'return 0/0, {}',
  'return desiredObj',
  'return observedObj',
  'return true',
  'return 2^53, {nodeClaim = {}}',
  'return function() end',
  'return {[1]=1, x=2}',
  'return print',
  'return kube',
  'return 1, setmetatable({}, {__index = function() error("x") end})',
]

/** What a script does before it answers. */
const deeds: readonly ((rng: Rng) => string)[] = [
  (rng) => `local t = {} for i = 1, ${size(rng, 1e7)} do t[i] = i end`,
  (rng) => `local t = {} local r = t for i = 1, ${size(rng, 100_000)} do t.x = {} t = t.x end do return r end`,
  (rng) => `local s = string.rep("a", ${size(rng, 1e9)})`,
  () => 'local s = "x" while true do s = s .. s end',
  () => 'while true do end',
  () => 'pcall(function() while true do end end)',
  () => 'while true do pcall(function() error({}) end) end',
  () => 'local function f() return f() + 1 end f()',
  () => 'local function f() local ok, e = pcall(f) return e end f()',
  () => 'string.find(string.rep("a", 50000), string.rep("a?", 5000) .. "b")',
  () => 'string.gsub(string.rep("a", 100000), ".-b", "")',
  () => 'string.format("%" .. string.rep("9", 90) .. "d", 1)',
  () => 'setmetatable(_G, {__index = function(t, k) return k end})',
  () => 'string.rep = nil; table = nil; math = nil; pairs = nil',
  () => 'getmetatable("").__index = function() return nil end',
  () => 'local t = setmetatable({}, {__gc = function() while true do end end}) t = nil',
  () => 'local t = setmetatable({}, {__len = function() return 2^31 end}) table.unpack(t)',
  () => 'table.concat(setmetatable({}, {__len = function() return 2^53 end}))',
  () => 'table.sort({3, 2, 1}, function() error("x") end)',
  () => 'error(setmetatable({}, {__tostring = function() while true do end end}))',
  () => 'require("os").exit()',
  () => 'os.exit(1)',
  () => 'io.open("/etc/passwd")',
  () => 'debug.getregistry()',
  () => 'coroutine.wrap(function() coroutine.yield() end)()',
  () => 'local x <close> = setmetatable({}, {__close = function() error("x") end})',
  () => 'desiredObj.metadata = desiredObj',
  () => 'desiredObj.x = desiredObj',
  () => 'desiredObj = nil',
  () => 'desiredObj.metadata.annotations = nil; desiredObj.spec[1] = 1',
  () => 'local kube = require("kube"); kube.accuratePodRequirements(desiredObj)',
  () => 'local kube = require("kube"); kube.getPodDependencies({}, {})',
  () => 'goto x ::x::',
  () => 'local a = "\\u{7FFFFFFF}\\xff"',
]

function script(rng: Rng, [name, parameters]: readonly [string, string]): string {
  const body = times(rng.below(3), () => pick(rng, deeds)(rng)).join('\n')
  const outside = chance(rng, 0.15) ? `${pick(rng, deeds)(rng)}\n` : ''
  const text = `${outside}function ${chance(rng, 0.95) ? name : 'Other'}(${parameters})\n${body}\n${pick(rng, results)}\nend`
  return chance(rng, 0.1) ? breakText(rng, text) : text
}
