/** A console that is started before its kubeconfig is usable reports the reason, and continues once it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '@/server/config/config'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { noSpans } from '@/server/telemetry/spans'
import { freePort } from '@/server/testing/free-port'
import { answerWhileWaiting } from './answer-while-waiting'
import { type ControlPlane, openControlPlane } from './control-plane'
import { reachability } from './until-reachable'

const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'karmada',
  clusters: [{ name: 'karmada', cluster: { server: 'https://karmada.example:5443' } }],
  users: [{ name: 'admin', user: { token: 'secret' } }],
  contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'admin' } }],
})

test('it answers with the fault of the kubeconfig, then with the next one, and connects without a restart', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'start-faults-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const kubeconfig = path.join(dir, 'karmada.config')
  const port = await freePort()
  const config = parseConfig([`--kubeconfig=${kubeconfig}`, `--port=${port}`], {})
  const log = createLogger({ level: 'silent' })
  let plane: ControlPlane | undefined
  const server = (): string | undefined => plane?.url
  const attempts = reachability({ server, log, clock: systemClock, everyMs: 10 })
  const waiting = await answerWhileWaiting({ config, log, server, reachability: attempts })
  onTestFinished(() => waiting.close(0))
  const opened = openControlPlane(config, { log, spans: noSpans, reachability: attempts })
  const told = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/fleet`)).text()

  await expect.poll(told).toMatch(/cannot read the kubeconfig .*ENOENT/)
  expect(await told()).toContain('Create the file')
  writeFileSync(kubeconfig, '{')
  await expect.poll(told).toContain('Correct the YAML')
  writeFileSync(kubeconfig, KUBECONFIG.replace('"current-context":"karmada"', '"current-context":"other"'))
  await expect.poll(told).toContain('Set current-context')
  writeFileSync(kubeconfig, KUBECONFIG)
  plane = await opened
  onTestFinished(() => plane!.transport.close())
  expect(plane.url).toBe('https://karmada.example:5443')
  expect(await told()).toContain('https://karmada.example:5443')
})
