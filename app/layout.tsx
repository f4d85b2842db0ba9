import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { Providers } from '@/components/shell/providers'
import './globals.css'

export const metadata: Metadata = {
  description: 'Where every replica of every workload runs, and the means to steer it.',
  icons: { icon: '/favicon.svg' },
}

export const viewport: Viewport = { colorScheme: 'light dark' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The theme is set on this element before React starts.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
