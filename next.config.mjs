/**
 * The console's pages. API calls and the live stream are answered by our own server, before Next sees them. Not
 * TypeScript: each start of the product would load a compiler for it.
 *
 * @type {import('next').NextConfig}
 */
const config = {
  poweredByHeader: false,
  devIndicators: false,
  // No page has pictures that need it, and it would read and draw whatever anybody asks for.
  images: { unoptimized: true },
  // The same sources are the same build, wherever it is made: an open page knows by it whether the server was updated.
  generateBuildId: () => process.env.EVENKEEL_BUILD ?? null,
  turbopack: { root: import.meta.dirname },
  // `npm run check` compiles the whole tree; a user who only starts the console should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  redirects: async () => [{ source: '/', destination: '/overview', permanent: false }],
}

export default config
