import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from './support/fixtures'

// The demonstration fleet of the documentation.
test.use({ flags: [] })

/** A plan shows its base a moment after its creation. */
const BASE = `"'"$(kubectl wait rbp home --for=jsonpath={.status.base} --timeout=30s >/dev/null; kubectl get rbp home -o jsonpath={.status.base})"'"`

/** The kubectl commands of a document as one script: every block of commands that starts no server. */
function scriptOf(document: string): string {
  const blocks = [...readFileSync(document, 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(
    ([, block = '']) => block,
  )
  return blocks
    .filter((block) => !block.includes('npm '))
    .join('\n')
    .replace(/^alias .*$/gm, '')
    .replaceAll('"<status.base>"', BASE)
}

const documents: readonly [document: string, prints: RegExp][] = [
  ['README.md', /member3/],
  ['docs/guide/plans-with-kubectl.md', /observedWorkloads/],
  ['docs/guide/hold-a-queue.md', /queue.evenkeel.io\/lab patched/],
  ['docs/guide/simulated-members.md', /NodeList/],
  ['docs/guide/log-in.md', /^\S{16,}$/],
]

for (const [document, prints] of documents) {
  test(`the commands of ${document} work as printed`, async ({ product }) => {
    const script = scriptOf(document).replaceAll('.evenkeel/kubeconfig', product.kubeconfig)
    const prelude = `set -eu; kubectl() { command kubectl --kubeconfig '${product.kubeconfig}' "$@"; }; k() { kubectl "$@"; }\n`
    const { stdout } = await promisify(execFile)('bash', ['-c', prelude + script])
    expect(stdout).toMatch(prints)
  })
}
