import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/shell/providers'
import { type Locale, LOCALE_COOKIE, negotiateLocale } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'
import './globals.css'

export async function generateMetadata(): Promise<Metadata> {
  return { description: texts[await readersLocale()]('shell.description'), icons: { icon: '/favicon.svg' } }
}

async function readersLocale(): Promise<Locale> {
  return negotiateLocale((await headers()).get('accept-language'), (await cookies()).get(LOCALE_COOKIE)?.value)
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** Drawn anew for every request, for every answer has a nonce of its own. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const locale = await readersLocale()
  return (
    // The theme is set on this element before React starts.
    <html lang={locale} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} locale={locale}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
