import { describe, expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { KubeClient } from '@/server/kube/client'
import { noBffMetrics } from '../metrics-hooks'
import { ReviewLimiter } from './review-limiter'
import { BINDINGS, CLUSTERS, EVENTS, nameOfResource, resourceNamed, REVIEWED, SPREADS } from './resources'
import { Reviewer } from './reviewer'
import { scopeOf } from './scope'
import { UserAccess } from './user-access'

interface Asked {
  spec: { namespace?: string; resourceAttributes?: { group: string; resource: string; namespace?: string } }
}

/** Responses of the API server to a review of everything or of a namespace. */
type Answer = (namespace: string | undefined, question: Asked['spec']) => Promise<object>

const rule = (verbs: string[], apiGroups: string[], resources: string[], more: object = {}) => ({
  verbs,
  apiGroups,
  resources,
  ...more,
})
const LISTS_BINDINGS = rule(['list'], ['work.karmada.io'], ['resourcebindings'])
const rules = (resourceRules: object[], more: object = {}) =>
  Promise.resolve({ status: { resourceRules, nonResourceRules: [], incomplete: false, ...more } })
const allowed = (yes: boolean) => Promise.resolve({ status: { allowed: yes } })
const silence = () => Promise.reject(kubeError(0, 'Unreachable', 'connection refused'))

/** The namespace whose rules are those of all namespaces. */
const EVERYWHERE = '-'

/** May list bindings in these namespaces, by rules that the API server shows. */
const listsIn =
  (...namespaces: string[]): Answer =>
  (namespace) =>
    namespace === undefined ? allowed(false) : rules(namespaces.includes(namespace) ? [LISTS_BINDINGS] : [])

/** A user whose API server answers as the test says. `named`: where RBAC binds a role to them; absent if unknown. */
function startUser({ named, count = 300 }: { named?: string[]; count?: number } = {}) {
  const clock = createFakeClock()
  let answer: Answer = () => allowed(true)
  const kinds: string[] = []
  const asked: string[] = []
  const client = {
    create: ({ kind }: { kind: string }, { spec }: Asked) => {
      kinds.push(kind)
      if (kind === 'SelfSubjectRulesReview' && spec.namespace !== EVERYWHERE) asked.push(spec.namespace ?? '')
      return answer(spec.namespace ?? spec.resourceAttributes?.namespace, spec)
    },
  } as unknown as KubeClient
  const names = Array.from({ length: count }, (_, index) => `n${index}`)
  const reviewer = new Reviewer({
    client,
    limiter: new ReviewLimiter({ most: 4, perUser: 4, background: 4 }),
    metrics: noBffMetrics,
    user: 'rita',
  })
  const user = new UserAccess({
    reviewer,
    clock,
    random: () => 0.5,
    namespaces: () => Promise.resolve(names),
    namedIn: () => named && new Set(named),
    createdAt: () => undefined,
  })
  const settle = () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  /** Time in steps in which everything that is due is answered. */
  const pass = async (seconds: number, step = 1) => {
    for (let at = 0; at < seconds; at += step) {
      clock.advance(step * 1000)
      for (let turn = 0; turn < 3; turn++) await settle()
    }
  }
  /** Namespaces asked about since the last look. */
  const sinceThen = (): string[] => asked.splice(0)
  return {
    clock,
    kinds,
    asked,
    names,
    named,
    user,
    settle,
    pass,
    sinceThen,
    answerWith: (next: Answer) => {
      answer = next
    },
  }
}

const at = (namespace: string) => ({ ...BINDINGS, namespace })
const red = at('red')

describe('when the API server does not answer', () => {
  test('the last complete review is valid for five minutes, then the scope is empty with the reason', async () => {
    const { user, pass, answerWith } = startUser()
    expect((await user.whenReviewed()).seesAll(BINDINGS)).toBe(true)
    answerWith(silence)
    await pass(4 * 60, 10)
    expect(user.scope?.seesAll(BINDINGS)).toBe(true)
    await pass(120, 10)
    expect(user.scope?.sees(red)).toBe(false)
    expect(user.scope?.problem).toMatchObject({
      code: 'api.live.rightsFailed',
      args: { cause: expect.stringContaining('connection refused') },
    })
    answerWith(() => allowed(true))
    await pass(40, 10)
    expect([user.scope?.seesAll(BINDINGS), user.scope?.problem]).toEqual([true, undefined])
  })

  test('an old review expires even while a new one hangs', async () => {
    const { clock, user, settle, answerWith } = startUser()
    await user.whenReviewed()
    answerWith(() => new Promise(() => undefined))
    clock.advance(40_000)
    await settle()
    expect(user.scope?.seesAll(BINDINGS)).toBe(true)
    clock.advance(5 * 60_000)
    expect([user.scope?.sees(red), user.scope?.problem]).toEqual([
      false,
      expect.objectContaining({ code: 'api.live.rightsSilent' }),
    ])
  })

  test('the first review says so, and the next one may succeed', async () => {
    const { user, answerWith, clock } = startUser()
    answerWith(silence)
    await expect(user.whenReviewed()).rejects.toMatchObject({ reason: 'Unreachable' })
    answerWith(() => allowed(true))
    clock.advance(1_000)
    expect((await user.whenReviewed()).seesAll(BINDINGS)).toBe(true)
  })

  test('simultaneous requests share one review and its result', async () => {
    const { user, answerWith, kinds } = startUser()
    answerWith(silence)
    for (let turn = 0; turn < 20; turn++)
      await expect(user.whenReviewed()).rejects.toMatchObject({ reason: 'Unreachable' })
    expect(kinds.length).toBeLessThan(REVIEWED.length)
  })

  test('it is retried with growing delays, and not before the requested time', async () => {
    const { user, answerWith, kinds, pass } = startUser()
    await user.whenReviewed()
    answerWith(silence)
    await pass(36)
    // A round gives up after the first failure, with the two questions that were under way.
    const rounds = async (seconds: number) => {
      const before = kinds.length
      await pass(seconds)
      return (kinds.length - before) / 2
    }
    const [first, later] = [await rounds(60), await rounds(60)]
    expect([first, later]).toEqual([3, 2])
    answerWith(() => Promise.reject(kubeError(429, 'TooManyRequests', 'later', { retryAfterSeconds: 120 })))
    await pass(31)
    expect(await rounds(80)).toBe(0)
  })

  test('a namespace without an answer is not shown, hides no others, and is reviewed again', async () => {
    const { user, answerWith, pass, sinceThen } = startUser({ count: 20 })
    const broken: Answer = () => Promise.reject(kubeError(500, 'InternalError', 'webhook failed'))
    answerWith((namespace, question) => (namespace === 'n3' ? broken : listsIn('n3', 'n7'))(namespace, question))
    const scope = await user.whenReviewed()
    expect([scope.sees(at('n3')), scope.sees(at('n7')), scope.isPartial]).toEqual([false, true, undefined])
    sinceThen()
    answerWith(listsIn('n3', 'n7'))
    await pass(5)
    expect(sinceThen()).toContain('n3')
    expect(user.scope?.sees(at('n3'))).toBe(true)
  })

  test('a namespace that was granted and is not answered about for five minutes is dropped, and no other', async () => {
    const { user, answerWith, pass } = startUser({ count: 20 })
    answerWith(listsIn('n3', 'n7'))
    await user.whenReviewed()
    answerWith((namespace, question) => (namespace === 'n3' ? silence() : listsIn('n3', 'n7')(namespace, question)))
    await pass(4 * 60, 2)
    expect([user.scope?.sees(at('n3')), user.scope?.sees(at('n7'))]).toEqual([true, true])
    await pass(3 * 60, 2)
    expect([user.scope?.sees(at('n3')), user.scope?.sees(at('n7'))]).toEqual([false, true])
  })

  test.each([401, 403])('an answer of %d is a refusal: the scope is empty once it lasts', async (code) => {
    const { user, answerWith, pass } = startUser()
    await user.whenReviewed()
    answerWith(() => Promise.reject(kubeError(code, code === 401 ? 'Unauthorized' : 'Forbidden', 'you are nobody')))
    await pass(28)
    expect(user.scope?.seesAll(BINDINGS)).toBe(true)
    await pass(30)
    expect([user.scope?.seesAll(BINDINGS), user.scope?.problem]).toEqual([
      false,
      expect.objectContaining({ args: expect.objectContaining({ cause: expect.stringContaining('you are nobody') }) }),
    ])
  })

  test('what could not be asked is not remembered as an answer', async () => {
    const { user, answerWith } = startUser()
    const question = { ...BINDINGS, verb: 'list' }
    answerWith(silence)
    await expect(user.can(question)).rejects.toMatchObject({ reason: 'Unreachable' })
    answerWith(() => allowed(true))
    expect(await user.can(question)).toEqual({ allowed: true, reason: '' })
  })

  test('a clock that is set back keeps no answer alive', async () => {
    const clock = createFakeClock()
    let [now, yes] = [clock.now(), true]
    const client = { create: () => allowed(yes) } as unknown as KubeClient
    const reviewer = new Reviewer({
      client,
      limiter: new ReviewLimiter({ most: 1, perUser: 1, background: 1 }),
      metrics: noBffMetrics,
      user: 'rita',
    })
    const user = new UserAccess({
      reviewer,
      clock: { ...clock, now: () => now },
      random: () => 0.5,
      namespaces: () => Promise.resolve([]),
      namedIn: () => undefined,
      createdAt: () => undefined,
    })
    const question = { ...BINDINGS, verb: 'patch', namespace: 'red' }
    expect((await user.can(question)).allowed).toBe(true)
    yes = false
    now -= 3_600_000
    expect((await user.can(question)).allowed).toBe(false)
  })
})

describe('what the rules of a namespace are taken for', () => {
  const cases: [what: string, status: object, seen: [bindings: boolean, spreads: boolean, events: boolean]][] = [
    ['the resource itself', { resourceRules: [LISTS_BINDINGS] }, [true, false, false]],
    [
      'every resource of a group',
      { resourceRules: [rule(['list'], ['work.karmada.io'], ['*'])] },
      [true, false, false],
    ],
    ['every verb on everything', { resourceRules: [rule(['*'], ['*'], ['*'])] }, [true, true, true]],
    ['the core group, which is no wildcard', { resourceRules: [rule(['list'], [''], ['*'])] }, [false, false, true]],
    ['another group', { resourceRules: [rule(['list'], ['apps'], ['resourcebindings'])] }, [false, false, false]],
    ['another verb', { resourceRules: [rule(['get', 'watch'], ['*'], ['*'])] }, [false, false, false]],
    [
      'a subresource',
      { resourceRules: [rule(['list'], ['*'], ['resourcebindings/status', '*/status'])] },
      [false, false, false],
    ],
    [
      'some names only',
      { resourceRules: [rule(['list'], ['*'], ['*'], { resourceNames: ['web'] })] },
      [false, false, false],
    ],
    [
      'paths',
      { resourceRules: [], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] },
      [false, false, false],
    ],
    ['rules of nothing', { resourceRules: [{ verbs: ['list'] }] }, [false, false, false]],
  ]
  test.each(cases)('%s', async (_, status, seen) => {
    const { user, answerWith } = startUser({ count: 1 })
    answerWith((namespace) => (namespace === undefined ? allowed(false) : rules([], status)))
    const scope = await user.whenReviewed()
    expect([BINDINGS, SPREADS, EVENTS].map((resource) => scope.sees({ ...resource, namespace: 'n0' }))).toEqual(seen)
    expect([scope.seesAll(BINDINGS), scope.sees(CLUSTERS)]).toEqual([false, false])
  })

  test.each<[string, object]>([
    ['incomplete', { incomplete: true }],
    ['in error', { evaluationError: 'the webhook does not support user rule resolution' }],
  ])('none when the rules are %s: each right is reviewed individually', async (_, more) => {
    const { user, answerWith } = startUser({ count: 2 })
    answerWith((namespace, { resourceAttributes }) => {
      if (!resourceAttributes) return rules([LISTS_BINDINGS], more)
      return allowed(namespace === 'n1' && resourceAttributes.resource === 'workloadspreads')
    })
    const scope = await user.whenReviewed()
    expect([scope.sees(at('n0')), scope.sees(at('n1')), scope.sees({ ...SPREADS, namespace: 'n1' })]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('a right that is limited to names is no right to list', () => {
    const scope = scopeOf(new Map([['resourcebindings.work.karmada.io', new Set<string>()]]))
    expect([scope.seesAny(BINDINGS), scope.key]).toEqual([false, scopeOf(new Map()).key])
  })
})

describe('rights in all namespaces', () => {
  const nameOf = ({ resourceAttributes: asked }: Asked['spec']) => asked && nameOfResource(asked)
  const BINDINGS_NAME = nameOfResource(BINDINGS)
  /** Rules of all namespaces, and what single questions are answered. */
  const start = async (rulesEverywhere: Promise<object>, allows: (resource: string | undefined) => boolean) => {
    const { user, answerWith } = startUser({ named: [], count: 0 })
    const questions: (string | undefined)[] = []
    answerWith((namespace, question) => {
      if (namespace === EVERYWHERE) return rulesEverywhere
      questions.push(nameOf(question))
      return allowed(allows(nameOf(question)))
    })
    const scope = await user.whenReviewed()
    return { questions, seen: REVIEWED.filter((resource) => scope.seesAll(resource)).map(nameOfResource) }
  }
  const SAMPLE = nameOfResource(REVIEWED[0]!)

  test('of complete rules, each right that they grant is confirmed, and what they do not grant is not asked about', async () => {
    const { questions, seen } = await start(rules([LISTS_BINDINGS]), (name) => name === BINDINGS_NAME)
    expect([questions, seen]).toEqual([[SAMPLE, BINDINGS_NAME], [BINDINGS_NAME]])
  })

  test('a right that rules grant and the API server refuses is none', async () => {
    expect((await start(rules([LISTS_BINDINGS]), () => false)).seen).toEqual([])
  })

  test.each([
    ['that are not complete', rules([], { incomplete: true })],
    ['that could not be evaluated', rules([], { evaluationError: 'role not found' })],
    ['that lack what the API server allows', rules([])],
  ])('with rules %s, each right is asked about', async (_name, given) => {
    const { questions, seen } = await start(given, () => true)
    expect([questions.length, seen.length]).toEqual([REVIEWED.length, REVIEWED.length])
  })
})

describe('in a federation of many namespaces', () => {
  test('a user who may list everything is reviewed for nothing else', async () => {
    const { user, asked } = startUser()
    await user.whenReviewed()
    expect(asked).toEqual([])
  })

  test('only a few are asked about at a time', async () => {
    const { user, answerWith, asked } = startUser()
    let [now, most] = [0, 0]
    answerWith(async (namespace) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      now -= 1
      return namespace === undefined ? allowed(false) : rules([])
    })
    await user.whenReviewed()
    expect([asked.length, most]).toEqual([300, 4])
  })

  test('without an index of RBAC all are reviewed; each one found is visible at once, in a partial scope', async () => {
    const { user, answerWith, clock, settle } = startUser()
    answerWith(
      (...question) =>
        new Promise((resolve) => {
          setImmediate(() => resolve(listsIn('n2', 'n290')(...question)))
        }),
    )
    const seen: [boolean, boolean, boolean][] = []
    user.onScope((scope) => seen.push([scope.sees(at('n2')), scope.sees(at('n290')), scope.isPartial === true]))
    const whole = user.whenReviewed()
    for (let turn = 0; turn < 20; turn++) await settle()
    clock.advance(250)
    expect(seen.at(-1)).toEqual([true, false, true])
    const scope = await whole
    expect([scope.sees(at('n290')), scope.isPartial]).toEqual([true, undefined])
  })

  test('where RBAC is watched, namespaces that name the user are reviewed, and two others in each round to detect other authorizers', async () => {
    const { user, answerWith, sinceThen, pass } = startUser({ named: ['n5', 'n200'] })
    answerWith(listsIn('n5', 'n200'))
    const scope = await user.whenReviewed()
    expect(sinceThen()).toEqual(['n5', 'n200'])
    expect([scope.sees(at('n5')), scope.sees(at('n200')), scope.isPartial]).toEqual([true, true, undefined])
    await pass(30)
    expect(sinceThen()).toHaveLength(1 + 2)
  })

  test.each<[string, Answer]>([
    [
      'rules that are not whole',
      (namespace, question) =>
        question.resourceAttributes
          ? allowed(namespace === 'n250')
          : namespace === undefined
            ? allowed(false)
            : rules([], { incomplete: true }),
    ],
    ['a right that RBAC does not tell', listsIn('n0', 'n250')],
  ])('all are asked about after %s: others than RBAC decide', async (_, answer) => {
    const { user, answerWith, asked, pass } = startUser({ named: ['n5'] })
    answerWith((namespace, question) =>
      namespace === undefined && question.resourceAttributes ? allowed(false) : answer(namespace, question),
    )
    await user.whenReviewed()
    await pass(6 * 60, 6)
    expect([new Set(asked).size, user.scope?.sees(at('n250'))]).toEqual([300, true])
  })

  test('at once, when the first answer says that its rules are not whole', async () => {
    for (const named of [['n5'], []]) {
      const { user, answerWith } = startUser({ named })
      answerWith((namespace, { resourceAttributes }) =>
        resourceAttributes ? allowed(namespace === 'n250') : rules([], { incomplete: true }),
      )
      expect((await user.whenReviewed()).sees(at('n250'))).toBe(true)
    }
  })

  test('each right that is granted is asked about again in each round while RBAC is not watched', async () => {
    const { user, answerWith, pass, sinceThen } = startUser()
    const granted = Array.from({ length: 40 }, (_, index) => `n${index * 7}`)
    answerWith(listsIn(...granted))
    await user.whenReviewed()
    sinceThen()
    answerWith(listsIn(...granted.slice(1)))
    await pass(36)
    expect(sinceThen()).toEqual(expect.arrayContaining(granted))
    expect([user.scope?.sees(at('n0')), user.scope?.sees(at('n7'))]).toEqual([false, true])
  })

  test('and in ten rounds while it is watched; what is not granted in ten, and in as many as it takes two by two', async () => {
    for (const [named, minutes] of [
      [undefined, 6],
      [['n1'], 90],
    ] as const) {
      const { user, answerWith, pass, sinceThen } = startUser(named ? { named: [...named] } : {})
      answerWith(listsIn('n1'))
      await user.whenReviewed()
      sinceThen()
      await pass(minutes * 60, 6)
      expect(new Set(sinceThen()).size).toBe(300)
    }
  })

  test('an overtaken answer is ignored, in either order', async () => {
    const { user, answerWith, settle, clock } = startUser({ named: ['n1'], count: 2 })
    answerWith(listsIn('n1'))
    await user.whenReviewed()
    const late: ((answer: object) => void)[] = []
    answerWith((namespace) =>
      namespace === 'n1'
        ? new Promise((resolve) => {
            late.push(resolve)
          })
        : allowed(false),
    )
    user.invalidate({ everywhere: false, namespaces: new Set(['n1']) })
    user.invalidate({ everywhere: false, namespaces: new Set(['n1']) })
    await settle()
    late[1]?.(await rules([]))
    await settle()
    late[0]?.(await rules([LISTS_BINDINGS]))
    await settle()
    clock.advance(20)
    expect(user.scope?.sees(at('n1'))).toBe(false)
  })

  test('a change in one namespace reviews that one alone; a change everywhere reviews everything', async () => {
    const { user, answerWith, sinceThen, settle, kinds, clock } = startUser({ named: ['n1', 'n2'] })
    answerWith(listsIn('n1', 'n2'))
    await user.whenReviewed()
    sinceThen()
    kinds.length = 0
    answerWith(listsIn('n2'))
    user.invalidate({ everywhere: false, namespaces: new Set(['n1']) })
    await settle()
    clock.advance(20)
    expect([kinds, sinceThen(), user.scope?.sees(at('n1')), user.scope?.sees(at('n2'))]).toEqual([
      ['SelfSubjectRulesReview'],
      ['n1'],
      false,
      true,
    ])
    user.invalidate({ everywhere: true, namespaces: new Set() })
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(kinds.slice(1).sort()).toEqual(['SelfSubjectAccessReview', 'SelfSubjectRulesReview'])
  })

  test('a sign that the API server does not answer is looked at again within seconds', async () => {
    const { user, answerWith, pass, settle } = startUser({ named: ['n1'], count: 2 })
    answerWith(listsIn('n1'))
    await user.whenReviewed()
    answerWith(silence)
    user.invalidate({ everywhere: false, namespaces: new Set(['n1']) })
    await settle()
    answerWith(listsIn())
    await pass(4)
    expect(user.scope?.sees(at('n1'))).toBe(false)
  })

  test('a user who may no longer list everything is reviewed by namespace, and sees only confirmed objects meanwhile', async () => {
    const { user, answerWith, settle } = startUser({ named: ['n1'], count: 2 })
    await user.whenReviewed()
    answerWith(listsIn('n1'))
    const seen: [all: boolean, own: boolean, other: boolean, partial: boolean][] = []
    user.onScope((scope) =>
      seen.push([scope.seesAll(BINDINGS), scope.sees(at('n1')), scope.sees(at('n0')), scope.isPartial === true]),
    )
    user.invalidate({ everywhere: true, namespaces: new Set() })
    for (let turn = 0; turn < 60; turn++) await settle()
    expect([seen[0], seen.at(-1)]).toEqual([
      [false, false, false, true],
      [false, true, false, false],
    ])
    expect(seen.some(([all, , other]) => all || other)).toBe(false)
  })

  test('a deleted namespace loses its rights at once, and a pending answer about it is ignored', async () => {
    const { user, answerWith, settle, clock } = startUser({ named: ['n1'], count: 2 })
    answerWith(listsIn('n1'))
    await user.whenReviewed()
    let end: (answer: object) => void = () => undefined
    answerWith(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    user.invalidate({ everywhere: false, namespaces: new Set(['n1']) })
    await settle()
    user.removeNamespace('n1')
    expect(user.scope?.sees(at('n1'))).toBe(false)
    end(await rules([LISTS_BINDINGS]))
    await settle()
    clock.advance(20)
    expect(user.scope?.sees(at('n1'))).toBe(false)
  })

  test('no more reviews are made for a user whose access was closed', async () => {
    const { user, answerWith, asked, settle, pass } = startUser()
    answerWith(
      (...question) =>
        new Promise((resolve) => {
          setImmediate(() => resolve(listsIn()(...question)))
        }),
    )
    void user.whenReviewed().catch(() => undefined)
    for (let turn = 0; turn < 8; turn++) await settle()
    user.close()
    await pass(60, 10)
    expect([asked.length > 0, asked.length < 100]).toEqual([true, true])
  })
})

test('every resource that rows are made of is reviewed once', () => {
  const names = REVIEWED.map(nameOfResource)
  expect(new Set(names).size).toBe(names.length)
  expect(names.map(resourceNamed)).toEqual(REVIEWED.map(({ group, resource }) => ({ group, resource })))
  expect(
    REVIEWED.filter(({ byNamespace }) => byNamespace)
      .map(({ resource }) => resource)
      .sort(),
  ).toEqual(['events', 'propagationpolicies', 'queues', 'resourcebindings', 'workloadspreads'])
})
