/** The worker thread of one rehearsal. The build writes it to a separate file. */
import { type MessagePort, workerData } from 'node:worker_threads'
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import type { TwinExport } from '@/lib/domain/twin'
import type { Message } from '@/lib/messages/message'
import type { RehearsalRecordingView } from '@/lib/view/rehearsal-model'
import { Recording } from '@/server/bff/rehearsals/recording'
import { BadInput } from '@/server/rehearsal/bad-input'
import type { Progress, Rehearsal } from '@/server/rehearsal/rehearse'
import { createLogger } from '@/server/telemetry/logger'
import { type RehearsalSettings, runRehearsal } from './rehearse'

/** Objects arrive in several messages; the final message has the scenario and starts the rehearsal. */
export type RehearsalTask =
  | { objects: TwinExport['objects'] }
  | { scenario: Scenario; settings: RehearsalSettings; head: Omit<TwinExport, 'objects'> }

export type RehearsalAnswer =
  | { progress: Progress }
  | { rehearsal: Rehearsal; recording: RehearsalRecordingView }
  | { problems: readonly Message[] }
  | { failure: string }

const { port } = workerData as { port: MessagePort }
const objects: TwinExport['objects'][number][] = []
const answer = (told: RehearsalAnswer): void => port.postMessage(told)

async function perform({ scenario, settings, head }: Extract<RehearsalTask, { head: unknown }>): Promise<void> {
  try {
    const federation = { ...head, objects }
    let recorded: Recording | undefined
    let recording: RehearsalRecordingView = { incidents: [], plans: [] }
    const rehearsal = await runRehearsal({
      scenario,
      settings,
      source: { federation },
      log: createLogger({ level: 'silent' }),
      onProgress: (progress) => answer({ progress }),
      onPlane: ({ informers, clock }, profile) => {
        recorded = new Recording({ informers, clock, profile })
      },
      onEnd: async (startedAt) => {
        if (recorded) recording = await recorded.finish(startedAt)
      },
    })
    answer({ rehearsal, recording })
  } catch (error) {
    if (error instanceof BadInput) answer({ problems: error.problems })
    else answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

port.on('message', (task: RehearsalTask) => {
  if ('objects' in task) objects.push(...task.objects)
  else void perform(task)
})
