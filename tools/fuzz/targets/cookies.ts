/** Session cookies that are nearly right: only the one that the console gave may be accepted. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../broken/mutate'
import type { CookieStep } from '../steps'
import { TENANT } from '../steps'
import type { Oracle, Target } from '../target'
import { size, times } from '../text'

const session: Oracle = {
  name: 'session',
  begin:
    async (subject, { steps }) =>
    async (answers) =>
      answers.flatMap(({ status, body }, index) => {
        const step = steps[index]
        if (step?.do !== 'cookie') return []
        const { sameValue } = subject.cookieOf(step)
        if (status >= 500 || status === 0) return [`a cookie is answered ${status}: ${body.slice(0, 200)}`]
        if (status !== 200)
          return sameValue && step.cookie === PLAIN && status !== 429
            ? [`the session's own cookie is refused (${status})`]
            : []
        if (!sameValue) return ['a changed session cookie is accepted']
        return body.includes(TENANT) ? [] : ['a session speaks for another user']
      }),
}

const PLAIN = '{name}={value}'

const forms = [
  PLAIN,
  PLAIN,
  PLAIN,
  '{name}={value}; {name}=x',
  '{name}=x; {name}={value}',
  '{name}="{value}"',
  ' {name} = {value} ',
  '{name}={value}; {name}.1=x',
  '{name}={value}; {name}.1=; {name}.2=',
  '__Host-{name}={value}',
  'x={value}',
  '{value}',
  ';;;{name}={value};;;',
  '{name}={value}={value}',
  '{name}={value}{value}',
  '{name}={value},{name}={value}',
  '{name}%3D{value}',
  '__proto__={value}',
]

export const cookies: Target = {
  name: 'cookies',
  oracles: [session],
  generate: (rng, name) => ({ name, steps: times(4 + rng.below(20), () => one(rng)) }),
}

function one(rng: Rng): CookieStep {
  if (chance(rng, 0.15)) return { do: 'cookie', cookie: `${'a=b; '.repeat(size(rng, 1500))}{name}={value}` }
  if (chance(rng, 0.2)) return { do: 'cookie', cookie: pick(rng, forms) }
  return {
    do: 'cookie',
    cookie: PLAIN,
    change: {
      at: chance(rng, 0.4) ? 1 : rng.next(),
      remove: rng.below(3),
      insert: pick(rng, [
        '',
        'A',
        '_',
        '=',
        '==',
        '.',
        '*',
        '*1',
        '~',
        '%00',
        ' ',
        'AA',
        '-',
        'x'.repeat(size(rng, 3000)),
        '2.',
        '3.',
        '*Fe26.2**',
      ]),
    },
  }
}
