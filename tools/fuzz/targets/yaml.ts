/** YAML: anchors, tags, merges, odd indentation and much of it, in bodies and in applied configurations. */
import type { Rng } from '@/lib/std/rng'
import { breakText, chance, pick } from '../broken/mutate'
import { PATCH_TYPES, request, type Step, TENANT } from '../steps'
import type { Target } from '../target'
import { nativeKeys, size, times } from '../text'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

type Part = (rng: Rng) => string

const scalars = [
  '1',
  '0x1f',
  '0o17',
  '1_000',
  '1e999',
  '.inf',
  '-.Inf',
  '.nan',
  '~',
  'null',
  'yes',
  'on',
  '2026-01-01',
  '!!str 1',
  '!!binary AA==',
  '!!python/object x',
  '!<tag:x> y',
  '"\\u0000"',
  '"\\x41"',
  "'it''s'",
  '|\n    a\n    b',
  '>-\n    a\n     b',
  '*a',
  '&a x',
  '? x',
  '[1, 2',
  '{a: 1',
  '"',
  '%',
  '@x',
  '`x`',
  '- - - x',
]

const parts: readonly Part[] = [
  (rng) => `data:\n${times(size(rng, 20_000), (n) => `  k${n}: "v"`).join('\n')}\n`,
  (rng) => `data:\n  k: |\n${times(size(rng, 20_000), () => '    text').join('\n')}\n`,
  (rng) => `data:\n  k: "${'\\u0041'.repeat(size(rng, 60_000))}"\n`,
  (rng) => `x: ${'['.repeat(size(rng, 80_000))}\n`,
  (rng) => `x: ${'{a: '.repeat(size(rng, 40_000))}\n`,
  (rng) => `x:\n${times(size(rng, 1500), (n) => `${' '.repeat(n + 1)}a:`).join('\n')}\n`,
  (rng) => `x:\n${times(size(rng, 30_000), () => '- - - x').join('\n')}\n`,
  (rng) => `${bomb(size(rng, 40), 1 + rng.below(10))}`,
  (rng) => `a: &a {k: v}\nx:\n${times(size(rng, 20_000), () => '- *a').join('\n')}\n`,
  (rng) => `a: &a {k: v}\nb: {${times(size(rng, 2000), () => '<<: *a').join(', ')}}\n`,
  (rng) => `x: ${'!t '.repeat(size(rng, 20_000))}y\n`,
  (rng) => `${'# comment\n'.repeat(size(rng, 60_000))}`,
  (rng) => `${'---\n'.repeat(size(rng, 60_000))}`,
  (rng) => `${'? a\n'.repeat(size(rng, 40_000))}`,
  (rng) => `x: "${' '.repeat(size(rng, 200_000))}\n`,
  (rng) => `x: ${'a '.repeat(size(rng, 100_000))}\n`,
  (rng) => `x: ${'a:'.repeat(size(rng, 60_000))}\n`,
  (rng) => `x: ${"'".repeat(size(rng, 100_000))}\n`,
  (rng) => `${' '.repeat(size(rng, 200_000))}x: 1\n`,
  (rng) => `${'\t\n'.repeat(size(rng, 60_000))}`,
  (rng) => `%YAML 1.2\n${'%TAG ! x\n'.repeat(size(rng, 20_000))}---\n`,
  (rng) => `data:\n  k: ${pick(rng, scalars)}\n`,
  (rng) => `metadata:\n  labels:\n    ${pick(rng, nativeKeys)}: ${pick(rng, scalars)}\n`,
  (rng) => `${pick(rng, nativeKeys)}: {x: ${pick(rng, scalars)}}\n`,
]

/** Aliases of aliases: `width` to the power of `height` nodes when they are expanded. */
function bomb(height: number, width: number): string {
  const rows = times(height, (n) => `a${n}: &a${n} [${times(width, () => (n === 0 ? 'x' : `*a${n - 1}`)).join(', ')}]`)
  return `${rows.join('\n')}\n`
}

export const yaml: Target = {
  name: 'yaml',
  generate: (rng, name) => ({
    name,
    steps: times(1 + rng.below(4), (): Step => {
      const body = document(rng, name)
      // A user without any right may not make the server work either.
      const as = chance(rng, 0.3) ? 'fuzz-nobody' : TENANT
      return chance(rng, 0.5)
        ? request('POST', CONFIG_MAPS, body, { as, type: 'application/yaml' })
        : request('PATCH', `${CONFIG_MAPS}/${name}?fieldManager=f&force=true`, body, { as, type: PATCH_TYPES.apply })
    }),
    cleanup: [request('DELETE', `${CONFIG_MAPS}/${name}`)],
  }),
}

function document(rng: Rng, name: string): string {
  const head = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
  const text = (chance(rng, 0.8) ? head : '') + times(1 + rng.below(3), () => pick(rng, parts)(rng)).join('')
  return chance(rng, 0.15) ? breakText(rng, text) : text
}
