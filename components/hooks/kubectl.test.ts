import { expect, it } from 'vitest'
import { kubectlFor } from './kubectl'

it.each([
  ['the file of this instance', { path: '/tmp/data/kubeconfig' }, 'kubectl --kubeconfig /tmp/data/kubeconfig get rb'],
  ['a context', { path: '/kc', context: 'prod' }, 'kubectl --kubeconfig /kc --context prod get rb'],
  ['a path with spaces', { path: '/my data/kc' }, "kubectl --kubeconfig '/my data/kc' get rb"],
  ['a path with quotes and dollars', { path: "/it's/$&" }, String.raw`kubectl --kubeconfig '/it'\''s/$&' get rb`],
  ['no file', undefined, 'kubectl get rb'],
])('a command names %s', (_, kubeconfig, expected) => {
  expect(kubectlFor('kubectl get rb', kubeconfig)).toBe(expected)
})

it('names it once', () => {
  expect(kubectlFor('kubectl create -f - <<EOF\nkubectl x\nEOF', { path: '/kc' })).toBe(
    'kubectl --kubeconfig /kc create -f - <<EOF\nkubectl x\nEOF',
  )
})
