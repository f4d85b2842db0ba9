'use client'
import { ActionFailure } from '../hooks/api-client'
import { useText } from '../messages/use-text'
import { Button } from './button'

/** Retries a request, if a retry can succeed; renders nothing for a refused request. */
export function RetryButton({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text = useText()
  return canRetry(error) ? <Button onClick={onRetry}>{text('common.tryAgain')}</Button> : null
}

/** 0 is no response. */
const PASSING = new Set([0, 408, 409, 425, 429])

/** A server that failed or is busy, a state that moved, or no answer at all: these pass. Other refusals stay. */
export function canRetry(error: Error): boolean {
  return !(error instanceof ActionFailure) || error.code >= 500 || PASSING.has(error.code)
}
