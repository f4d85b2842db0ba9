import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { PathnameContext, SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { english } from '@/lib/messages/english'
import { ACCESS_KEY } from '../../hooks/use-can'
import type { Question, Verdict } from '../../hooks/question-batch'
import { ShortcutsProvider } from '../../hooks/use-shortcuts'
import { TextContext } from '../../messages/use-text'

/** Permissions in the query cache of the page. */
export interface KnownRights {
  question: Question
  verdict: Verdict
}

/** The first drawing of a part of a page, as markup. */
export function draw(part: ReactNode, rights: readonly KnownRights[] = []): string {
  const client = new QueryClient()
  for (const { question, verdict } of rights) client.setQueryData([...ACCESS_KEY, question], verdict)
  return renderToStaticMarkup(
    <PathnameContext value="/queues">
      <SearchParamsContext value={new URLSearchParams()}>
        <QueryClientProvider client={client}>
          <ShortcutsProvider>
            <TextContext value={english}>{part}</TextContext>
          </ShortcutsProvider>
        </QueryClientProvider>
      </SearchParamsContext>
    </PathnameContext>,
  )
}

/** The words of a drawing, as one reads them. */
export const wordsOf = (markup: string): string =>
  markup
    .replaceAll(/<(?:style|pattern)[^>]*>.*?<\/(?:style|pattern)>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#x27;/g, '’')
    .replaceAll(/\s+/g, ' ')
    .trim()
