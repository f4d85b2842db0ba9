'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ActionFailure } from '../hooks/actions'
import { ACCESS_KEY } from '../hooks/use-can'
import { useUrlState } from '../hooks/use-url-state'
import { useAnnounce } from '../shell/announcer'
import { useText } from '../messages/use-text'
import { useAsked } from '../status/asked'

const CLOSED = { do: undefined, of: undefined }

interface QueueAction {
  /** Names the action, on the page until the stream shows its effect, and for screen readers. */
  words: string
  /** The id of its subject, and how that looks now. */
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

/** Sends an action. Accepted is not done: it is noted as requested until the stream shows its effect. */
export function useQueueAction({ words, about, seen, send, after }: QueueAction) {
  const text = useText()
  const client = useQueryClient()
  const announce = useAnnounce()
  const { note } = useAsked()
  const close = useCloseAction()
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: () => {
      note(about, words, seen)
      announce(text('common.requested', { action: words }))
      if (after) after()
      else close()
    },
    // A permission was removed, so the buttons must be updated.
    onError: (error) =>
      error instanceof ActionFailure && error.code === 403 && void client.invalidateQueries({ queryKey: ACCESS_KEY }),
  })
  const { isPending, isSuccess, error } = mutation
  return { ask: () => mutation.mutate(), asking: isPending, asked: isPending || isSuccess, error, close }
}
