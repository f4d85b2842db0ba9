'use client'
import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'
import { LiveProvider } from '../hooks/live-provider'
import { ShortcutsProvider } from '../hooks/use-shortcuts'
import { TooltipProvider } from '../ui/tooltip'
import { AnnouncerProvider } from './announcer'

/** What every page stands on: theme, live data, keys, announcements. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
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
