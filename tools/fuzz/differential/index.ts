/** `npm run fuzz -- differential --reference KUBECONFIG`: the embedded API server beside a real kube-apiserver. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readReference } from './reference'
import { families } from './families'
import { compareServers } from './run'
import { withServer } from '@/tools/conformance/sessions'

const flags = {
  reference: { type: 'string' },
  'viewer-token': { type: 'string', default: 'viewer-token' },
  seed: { type: 'string', default: '1' },
  sequences: { type: 'string', default: '500' },
  sequence: { type: 'string', multiple: true },
  family: { type: 'string', multiple: true },
  width: { type: 'string', default: '4' },
  minimised: { type: 'string', default: '0' },
  out: { type: 'string' },
} as const

/** Prints one JSON object; exits with 1 for differences, and 2 without a reference. */
export async function differential(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: flags })
  if (values.reference === undefined) {
    console.error('evenkeel: --reference names the kubeconfig of a kube-apiserver to compare with')
    return 2
  }
  const reference = readReference(values.reference, values['viewer-token'])
  const chosen = families.filter(({ name }) => !values.family || values.family.includes(name))
  const report = await withServer(
    ({ url, admin, viewer }) =>
      compareServers({
        servers: { reference, subject: { url, adminToken: admin.token, viewerToken: viewer.token } },
        families: chosen,
        seed: Number(values.seed),
        sequences: Number(values.sequences),
        ...(values.sequence && { only: values.sequence.map(Number) }),
        width: Number(values.width),
        minimised: Number(values.minimised),
        say: (line) => console.error(line),
      }),
    { loops: false },
  )
  if (values.out !== undefined)
    writeFileSync(values.out, report.classes.map((one) => `${JSON.stringify(one.case)}\n`).join(''))
  console.log(JSON.stringify(report, (key, value: unknown) => (key === 'case' ? undefined : value), 2))
  return report.classes.length > 0 ? 1 : 0
}
