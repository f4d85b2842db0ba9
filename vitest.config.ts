import { defineConfig } from 'vitest/config'
import { fileURLToPath } from 'node:url'

/** They measure the process, end it, silence its console, or stop servers that others would reach. */
const ALONE = [
  'server/*.test.ts',
  'server/{cli,compose,telemetry,testing}/**/*.test.ts',
  'server/apiserver/slope.test.ts',
  'server/bff/auth/oidc/**/*.test.ts',
  'server/bff/shared/**/*.test.ts',
]

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    testTimeout: 30_000,
    // Stopping a server waits for its connections, and the machine may be busy.
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // Decisions, views and tools change nothing global, so their files share a worker: that saves most of the start-up.
        test: { name: 'unit', include: ['{lib,tools}/**/*.test.ts', 'components/**/*.test.{ts,tsx}'], isolate: false },
      },
      // Each file starts servers of its own and stops all of them, so files share a worker here, too …
      {
        extends: true,
        test: { name: 'integration-shared', include: ['server/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
      // … but for some.
      { extends: true, test: { name: 'integration', include: ALONE } },
    ],
  },
})
