'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ActionFailure } from '../hooks/actions'
import { ACCESS_KEY } from '../hooks/use-can'
import { useUrlState } from '../hooks/use-url-state'
import { useAnnounce } from '../shell/announcer'
import { useAsked } from '../status/asked'

const CLOSED = { do: undefined, of: undefined }

interface QueueAction {
  /** What was done, for the page until the stream shows it, and for screen readers. */
  words: string
  /** What it is about, and how that looks now. */
  about: string
  seen: unknown
  send: () => Promise<unknown>
  /** Where to go then; default: the panel closes. */
  after?: () => void
}

/** Closes the panel; a panel over the list also takes the queue out of the address. */
export function useCloseAction(): () => void {
  const { navigate } = useUrlState()
  return () => navigate(window.location.pathname === '/queues' ? { ...CLOSED, queue: undefined } : CLOSED)
}

/** Sends an order. Accepted is not done: it is noted as asked for until the stream shows what came of it. */
export function useQueueAction({ words, about, seen, send, after }: QueueAction) {
  const client = useQueryClient()
  const announce = useAnnounce()
  const { note } = useAsked()
  const close = useCloseAction()
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: () => {
      note(about, words, seen)
      announce(`${words}: asked for.`)
      if (after) after()
      else close()
    },
    // A right that was there is gone: the buttons should know.
    onError: (error) =>
      error instanceof ActionFailure && error.code === 403 && void client.invalidateQueries({ queryKey: ACCESS_KEY }),
  })
  const { isPending, isSuccess, error } = mutation
  return { ask: () => mutation.mutate(), asking: isPending, asked: isPending || isSuccess, error, close }
}
