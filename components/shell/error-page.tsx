'use client'
import { createText } from '@/lib/messages'
import { errors as en } from '@/lib/messages/en/errors'
import { errors as zh } from '@/lib/messages/zh-CN/errors'
import { chosenLocale } from '../messages/chosen-locale'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

const TEXTS = { en: createText({ locale: 'en', catalogue: en }), 'zh-CN': createText({ locale: 'zh-CN', catalogue: zh }) }

/** A page that failed to render. Its texts come with it: a catalogue that could not be fetched may be what failed. */
export function ErrorPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text = TEXTS[chosenLocale()]
  return (
    <main id="content">
      <title>{text('errors.documentTitle')}</title>
      <EmptyState level={1} title={text('errors.title')}>
        <p>{text('errors.body')}</p>
        <p className="mono">{error.message}</p>
        <p>
          <Button onClick={onRetry}>{text('errors.retry')}</Button>
        </p>
      </EmptyState>
    </main>
  )
}
