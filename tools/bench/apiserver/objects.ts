/** Objects of the benches: ConfigMaps of 2 KB, as clients send them. */

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

const PAYLOAD = 'x'.repeat(1700)

/** A body of 1.8 KB; with the fields of the server the object has 2 KB. */
export function configMap(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { payload: PAYLOAD },
  })
}

/** Fails when an answer is none of success. */
export function expectSuccess({ status, body }: { status: number; body: Buffer }): void {
  if (status >= 300) throw new Error(`answered ${status}: ${body.toString().slice(0, 300)}`)
}
