import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from './rehearse'

const SCENARIO = 'examples/rehearse/scenario.yaml'
const FLEET = 'examples/rehearse/fleet.yaml'

interface Run {
  code: number
  out: string
  err: string
}

async function run(...argv: string[]): Promise<Run> {
  const written = { out: '', err: '' }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      written.out += String(chunk)
      return true
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      written.err += String(chunk)
      return true
    }),
  ]
  try {
    return { code: await main(argv), ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'rehearse-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a scenario fails for a policy without failover, and passes once it is mended', async () => {
  const junit = join(directory(), 'out.xml')
  const before = await run(
    SCENARIO,
    '--manifests',
    FLEET,
    '--manifests',
    'examples/rehearse/policy.yaml',
    '--junit',
    junit,
  )
  expect(before).toMatchObject({ code: 1, err: '' })
  expect(before.out).toMatch(/FAIL {2}No workload falls below its disruption budget/)
  expect(before.out).toMatch(/Deployment shop\/web: 0 of at least 3 replicas ready for/)
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuite name="lose-eu-1" tests="4" failures="[1-4]"/)
  const after = await run(
    SCENARIO,
    '--manifests',
    FLEET,
    '--manifests',
    'examples/rehearse/policy-mended.yaml',
    '--json',
  )
  const result = JSON.parse(after.out) as { passed: boolean; assertions: { name: string; evidence: unknown }[] }
  expect(result.assertions.filter(({ evidence }) => (evidence as unknown[]).length > 0)).toEqual([])
  expect(after).toMatchObject({ code: 0, err: '' })
  expect(result.passed).toBe(true)
})

test.each([
  ['no scenario', [], /exactly one scenario/],
  ['two scenarios', ['a.yaml', 'b.yaml'], /exactly one scenario/],
  ['an unknown flag', [SCENARIO, '--fast'], /Invalid arguments: .*--fast/],
  ['two fleets', [SCENARIO, '--demo', '--manifests', FLEET], /Use only one of --demo/],
  ['a scenario that is not there', ['no-such-file.yaml'], /Could not read no-such-file\.yaml/],
  ['manifests that are not there', [SCENARIO, '--manifests', 'no-such-file.yaml'], /Could not read no-such-file\.yaml/],
  ['a federation that is none', [SCENARIO, '--federation', FLEET], /fleet\.yaml/],
  ['a fleet without clusters', [SCENARIO, '--manifests', 'examples/rehearse/policy.yaml'], /has no clusters/],
  ['a fleet without the cluster', [SCENARIO, '--demo'], /Step 1 \(lose\): .*“eu-1”/],
])('%s ends with 2 and says why', async (_what, argv, expected) => {
  const { code, out, err } = await run(...argv)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(expected)
})

test.each([
  [
    'an unknown verb',
    'lose: { clusters: [eu-1] }',
    'explode: { clusters: [eu-1] }',
    /line 10: spec\.steps\[0\]\.explode/,
  ],
  ['times that run backwards', 'at: 5m', 'at: -5m', /spec\.steps\[1\]\.at/],
  ['a step before the one above it', 'at: 0s', 'at: 6m', /spec\.steps\[1\]\.at: .*backwards/],
])('a scenario with %s is refused with its line, and no report is left', async (_what, good, bad, expected) => {
  const [path, junit] = [join(directory(), 'scenario.yaml'), join(directory(), 'out.xml')]
  writeFileSync(path, readFileSync(SCENARIO, 'utf8').replace(good, bad))
  const { code, out, err } = await run(path, '--manifests', FLEET, '--junit', junit)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(expected)
  expect(existsSync(junit)).toBe(false)
})

test.each([
  ['no YAML', 'a: {', /bad\.yaml: line 1/],
  ['no object', 'just: text', /bad\.yaml: Must be a Kubernetes object/],
  ['an unknown kind', 'apiVersion: x/v1\nkind: Gadget\nmetadata: { name: a }', /no clusters|does not serve Gadget/],
])('manifests with %s are refused with their file', async (_what, content, expected) => {
  const path = join(directory(), 'bad.yaml')
  writeFileSync(path, content)
  const { code, err } = await run(SCENARIO, '--manifests', FLEET, '--manifests', path)
  expect(code).toBe(2)
  expect(err).toMatch(expected)
})

test('help is shown without running anything', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: npm run -s rehearse/) })
})
