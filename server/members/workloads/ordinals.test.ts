import { expect, test } from 'vitest'
import { planOrdinals, type NumberedPod, type OrdinalSnapshot } from './ordinals'

const pod = (ordinal: number, rest: Partial<NumberedPod> = {}): NumberedPod => ({
  ordinal,
  ready: true,
  updated: true,
  going: false,
  ...rest,
})
const plan = (rest: Partial<OrdinalSnapshot>) =>
  planOrdinals({ replicas: 3, start: 0, parallel: false, updateFrom: 0, pods: [], ...rest })

test.each([
  ['the first pod comes first', {}, [0], []],
  ['the next one waits for the one before', { pods: [pod(0, { ready: false })] }, [], []],
  ['the next one comes when the one before is ready', { pods: [pod(0)] }, [1], []],
  ['a lost pod is replaced before anything else', { pods: [pod(0), pod(2)] }, [1], []],
  ['in parallel all come at once', { parallel: true }, [0, 1, 2], []],
  ['ordinals begin where they are told', { start: 5, parallel: true }, [5, 6, 7], []],
  ['surplus pods go from the highest, one by one', { replicas: 1, pods: [pod(0), pod(1), pod(2)] }, [], [2]],
  ['surplus pods wait for the one that goes', { replicas: 1, pods: [pod(0), pod(1), pod(2, { going: true })] }, [], []],
  [
    'surplus pods stay while a wanted one is not ready',
    { replicas: 1, pods: [pod(0, { ready: false }), pod(1)] },
    [],
    [],
  ],
  ['in parallel surplus pods go together', { replicas: 1, parallel: true, pods: [pod(0), pod(1), pod(2)] }, [], [2, 1]],
  [
    'an update begins at the highest',
    { pods: [pod(0, { updated: false }), pod(1, { updated: false }), pod(2, { updated: false })] },
    [],
    [2],
  ],
  [
    'an update waits for the new pod',
    { pods: [pod(0, { updated: false }), pod(1, { updated: false }), pod(2, { ready: false })] },
    [],
    [],
  ],
  ['an update goes on below', { pods: [pod(0, { updated: false }), pod(1, { updated: false }), pod(2)] }, [], [1]],
  [
    'a partition holds an update back',
    { updateFrom: 2, pods: [pod(0, { updated: false }), pod(1, { updated: false }), pod(2)] },
    [],
    [],
  ],
  [
    'a broken pod of the old template is replaced',
    { pods: [pod(0), pod(1), pod(2, { updated: false, ready: false })] },
    [],
    [2],
  ],
  ['people update on delete', { updateFrom: undefined, pods: [pod(0, { updated: false }), pod(1), pod(2)] }, [], []],
  ['nothing is to do when all is well', { pods: [pod(0), pod(1), pod(2)] }, [], []],
])('%s', (_sentence, snapshot, ...expected) => {
  const [create, remove] = expected
  expect(plan(snapshot)).toEqual({ create, remove })
})
