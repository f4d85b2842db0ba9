/** Logs of pods, and errors of subresources that need processes. */
import type { Pod } from '@/lib/kube/kinds'
import type { Ask } from '../api'
import type { Answer, Reply } from '../call'
import { badRequest, kindNotFound } from '../failures'
import { followLog, LogWriter, presentLines } from '../pod-log/follow'
import { type LogOptions, logOptionsOf } from '../pod-log/options'
import { chosenContainer, type ContainerRun, runOf } from '../pod-log/run'
import { accepted, acceptsObjects, notAcceptable, refuseUnlessReadsText } from '../views/accept'
import { find } from './get'

/** kube-apiserver passes a kubelet's answer on as this. */
const TYPE = 'text/plain'

/** Handles GET of a log. A pod without a node has no log. The log of a simulated container is derived from its run. */
export async function readLog(ask: Ask): Promise<Answer> {
  const { accept } = ask.call.headers
  refuseUnlessReadsText(accept)
  // The form of an object is judged, though a log has none.
  if (acceptsObjects(accept)) accepted(accept, { custom: false })
  try {
    return await logOf(ask)
  } catch (error) {
    throw acceptsObjects(accept) ? error : notAcceptable()
  }
}

async function logOf(ask: Ask): Promise<Answer> {
  const { api, call, target } = ask
  const now = api.clock.now()
  const asked = logOptionsOf(call.query, target.name ?? '', now)
  const pod = find(ask).value as unknown as Pod
  const options = { ...asked, container: chosenContainer(pod, asked.container) }
  if (!pod.spec.nodeName) return { status: 204, type: TYPE, text: '' }
  requireNode(ask, pod.spec.nodeName)
  const run = runOf(pod, options.container, options.previous)
  if (options.follow) return { type: TYPE, start: (sink) => followLog(ask, run, options, sink) }
  return { status: 200, type: TYPE, text: written(run, options, now) }
}

/** kube-apiserver calls a node that is missing a pod. */
function requireNode({ api, keyspace }: Ask, name: string): void {
  if (!api.store.get({ keyspace: keyspace.name, resource: 'nodes', key: name })) throw kindNotFound('pods', name)
}

function* written(run: ContainerRun, options: LogOptions, now: number): Generator<string> {
  const writer = new LogWriter(options)
  for (const line of presentLines(run, options, now)) {
    yield writer.put(line)
    if (writer.isFull) return
  }
}

/** Handles exec, attach and portforward, which simulated pods do not support. Throws 400, or 404 without the pod. */
export async function reachInside(ask: Ask): Promise<Reply> {
  const {
    metadata: { name },
    spec,
  } = find(ask).value as unknown as Pod
  if (!spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  throw badRequest(`pod ${name} is simulated: it runs no process that could be reached`)
}
