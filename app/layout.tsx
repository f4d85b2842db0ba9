import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import localFont from 'next/font/local'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import { Providers } from '@/components/shell/providers'
import { type Locale, LOCALE_COOKIE, negotiateLocale } from '@/lib/messages'
import { texts } from '@/lib/messages/texts'
import { ownTopicsOf } from '@/components/hooks/first-topics'
import { isFirstPage } from '@/components/messages/first-pages'
import { snapshotPath } from '@/lib/view/live'
import { firstChunks } from './first-chunks'
import './globals.css'

/** Sent by this server: the policy of a page allows no other origin. Other scripts are set in the system's typeface. */
const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  variable: '--font-inter',
  weight: '100 900',
  display: 'swap',
})

export async function generateMetadata(): Promise<Metadata> {
  return { description: texts[await readersLocale()]('shell.description'), icons: { icon: '/favicon.svg' } }
}

async function readersLocale(): Promise<Locale> {
  return negotiateLocale((await headers()).get('accept-language'), (await cookies()).get(LOCALE_COOKIE)?.value)
}

export const viewport: Viewport = { colorScheme: 'light dark' }

/** Drawn anew for every request, for every answer has a nonce of its own. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const sent = await headers()
  const nonce = sent.get('x-nonce') ?? undefined
  const locale = await readersLocale()
  // The data and the scripts that a page asks for once its own code runs are fetched beside that code.
  const path = sent.get('x-path') ?? ''
  const topics = ownTopicsOf(path)
  for (const topic of topics) preload(snapshotPath(topic), { as: 'fetch', crossOrigin: 'anonymous' })
  for (const address of firstChunks(locale, { socket: topics.length === 0, laterTexts: !isFirstPage(path) }))
    preload(address, { as: 'script', ...(nonce !== undefined && { nonce }) })
  return (
    // The theme is set on this element before React starts.
    <html lang={locale} data-build={sent.get('x-build')} className={inter.variable} suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} locale={locale}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
