import type { NextConfig } from 'next'

/** The console's pages. API calls and the live stream are answered by our own server, before Next sees them. */
const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  turbopack: { root: import.meta.dirname },
  // `npm run check` compiles the whole tree; a user who only starts the console should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  redirects: async () => [{ source: '/', destination: '/fleet', permanent: false }],
}

export default config
