import { expect, test } from 'vitest'
import { type ConfigurationInput, mutatingConfiguration, validatingConfiguration } from './configurations'

const input: ConfigurationInput = {
  url: 'https://here:9443',
  cert: 'PEM',
  failurePolicy: 'Fail',
  namespaces: ['a', 'b'],
  ownUser: 'us',
  refuseLateSuspension: true,
}
const names = ({ webhooks = [] }: { webhooks?: readonly { name: string }[] }): string[] =>
  webhooks.map(({ name }) => name)

test.each<[string, Partial<ConfigurationInput>, string[], string[]]>([
  [
    'with queues',
    {},
    ['suspend.queue.evenkeel.io', 'freed.queue.evenkeel.io', 'stamp.queue.evenkeel.io'],
    ['suspension.evenkeel.io', 'release.queue.evenkeel.io', 'validate.queue.evenkeel.io'],
  ],
  [
    'without any queue',
    { namespaces: [] },
    ['stamp.queue.evenkeel.io'],
    ['suspension.evenkeel.io', 'validate.queue.evenkeel.io'],
  ],
  [
    'as upstream',
    { refuseLateSuspension: false },
    ['suspend.queue.evenkeel.io', 'freed.queue.evenkeel.io', 'stamp.queue.evenkeel.io'],
    ['release.queue.evenkeel.io', 'validate.queue.evenkeel.io'],
  ],
])('%s these are asked', (_case, change, mutating, validating) => {
  expect(names(mutatingConfiguration({ ...input, ...change }))).toEqual(mutating)
  expect(names(validatingConfiguration({ ...input, ...change }))).toEqual(validating)
})

test('all of them wait three seconds, follow the policy, are found at the address and known by the certificate', () => {
  const policy = { ...input, failurePolicy: 'Ignore' as const }
  for (const webhook of [
    ...(mutatingConfiguration(policy).webhooks ?? []),
    ...(validatingConfiguration(policy).webhooks ?? []),
  ]) {
    expect(webhook).toMatchObject({
      timeoutSeconds: 3,
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      clientConfig: { caBundle: 'UEVN' },
    })
    expect(webhook.clientConfig.url).toMatch(/^https:\/\/here:9443\/(bindings|queues)\/[a-z-]+$/)
  }
})

test('a release is allowed when the webhook that records the user fails', () => {
  const [, freed] = mutatingConfiguration(input).webhooks ?? []
  expect(freed).toMatchObject({ name: 'freed.queue.evenkeel.io', failurePolicy: 'Ignore' })
})

test('our own loops are not asked about, where our name is known', () => {
  const conditions = (ownUser: string | undefined) =>
    validatingConfiguration({ ...input, ownUser })
      .webhooks?.find(({ name }) => name === 'release.queue.evenkeel.io')
      ?.matchConditions?.map(({ expression }) => expression)
  expect(conditions('system:serviceaccount:karmada-system:"x"')).toContain(
    'request.userInfo.username != "system:serviceaccount:karmada-system:\\"x\\""',
  )
  expect(conditions(undefined)).toHaveLength(1)
})

test('without a certificate none is written: an empty one would be a change each time', () => {
  const without = { ...input, cert: '' }
  for (const { webhooks = [] } of [mutatingConfiguration(without), validatingConfiguration(without)])
    expect(webhooks.filter(({ clientConfig }) => 'caBundle' in clientConfig)).toEqual([])
})
