'use client'
import { ThemeProvider } from 'next-themes'
import { type ReactNode, useState } from 'react'
import type { Locale } from '@/lib/messages'
import { LiveProvider } from '../hooks/live-provider'
import { ShortcutsProvider } from '../hooks/use-shortcuts'
import { MessagesProvider } from '../messages/messages-provider'
import { AnnouncerProvider } from './announcer'
import { useStyleNonce } from './style-nonce'

interface ProvidersProps {
  children: ReactNode
  /** What scripts and style sheets of this page carry to be allowed. */
  nonce: string | undefined
  locale: Locale
}

/** Provides the theme, texts, live data, shortcuts and announcements to all pages. */
export function Providers({ children, nonce: given, locale }: ProvidersProps) {
  // The document keeps its original policy; nonces of later responses do not apply.
  const [nonce] = useState(given)
  useStyleNonce(nonce)
  return (
    <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
      <MessagesProvider locale={locale}>
        <LiveProvider>
          <ShortcutsProvider>
            <AnnouncerProvider>{children}</AnnouncerProvider>
          </ShortcutsProvider>
        </LiveProvider>
      </MessagesProvider>
    </ThemeProvider>
  )
}
