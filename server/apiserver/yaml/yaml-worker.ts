/** The worker thread for long YAML. Tests run it from source, so its imports end in `.ts`. */
import { type MessagePort, workerData } from 'node:worker_threads'
import { readDocument, writeDocument } from '../../../lib/kube/yaml-document.ts'

export type YamlTask = { read: string } | { writeJson: string }

const { port } = workerData as { port: MessagePort }

port.on('message', (task: YamlTask) => {
  port.postMessage('read' in task ? readDocument(task.read, '1.1') : writeDocument(JSON.parse(task.writeJson)))
})
