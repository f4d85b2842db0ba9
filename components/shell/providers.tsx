'use client'
import { ThemeProvider } from 'next-themes'
import { type ReactNode, useState } from 'react'
import { LiveProvider } from '../hooks/live-provider'
import { ShortcutsProvider } from '../hooks/use-shortcuts'
import { TooltipProvider } from '../ui/tooltip'
import { AnnouncerProvider } from './announcer'
import { useStyleNonce } from './style-nonce'

interface ProvidersProps {
  children: ReactNode
  /** What scripts and style sheets of this page carry to be allowed. */
  nonce: string | undefined
}

/** What every page stands on: theme, live data, keys, announcements. */
export function Providers({ children, nonce: given }: ProvidersProps) {
  // The document keeps the policy that it came with, whatever later answers carry.
  const [nonce] = useState(given)
  useStyleNonce(nonce)
  return (
    <ThemeProvider nonce={nonce} attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
      <LiveProvider>
        <ShortcutsProvider>
          <TooltipProvider>
            <AnnouncerProvider>{children}</AnnouncerProvider>
          </TooltipProvider>
        </ShortcutsProvider>
      </LiveProvider>
    </ThemeProvider>
  )
}
