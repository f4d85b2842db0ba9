import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/shell/providers'
import { LOCALE_COOKIE, negotiateLocale } from '@/lib/messages'
import './globals.css'

export const metadata: Metadata = {
  description: 'Where every replica of every workload runs, and the means to steer it.',
  icons: { icon: '/favicon.svg' },
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** Drawn anew for every request, for every answer has a nonce of its own. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const sent = await headers()
  const nonce = sent.get('x-nonce') ?? undefined
  const locale = negotiateLocale(sent.get('accept-language'), (await cookies()).get(LOCALE_COOKIE)?.value)
  return (
    // The theme is set on this element before React starts.
    <html lang={locale} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} locale={locale}>{children}</Providers>
      </body>
    </html>
  )
}
