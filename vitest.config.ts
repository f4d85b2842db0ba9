import { defineConfig } from 'vitest/config'
import { fileURLToPath } from 'node:url'

const SHARING = [
  'server/{config,kube,members,reconcilers,runtime}/**/*.test.ts',
  'server/bff/{access,actions,audit,cache,http}/**/*.test.ts',
  'server/apiserver/{admission,controllers,discovery,fairness,registry,store,verbs,views}/**/*.test.ts',
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
      // Each file starts servers of its own …
      { extends: true, test: { name: 'integration', include: ['server/**/*.test.ts'], exclude: SHARING } },
      // … and where it is known to stop all of them, files share a worker, too.
      { extends: true, test: { name: 'integration-shared', include: SHARING, isolate: false } },
    ],
  },
})
