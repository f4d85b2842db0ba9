import { defineConfig } from 'vitest/config'
import { fileURLToPath } from 'node:url'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    testTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // Decisions, views and tools change nothing global, so their files share a worker: that saves most of the start-up.
        test: { name: 'unit', include: ['{lib,tools}/**/*.test.ts', 'components/**/*.test.{ts,tsx}'], isolate: false },
      },
      // Each file starts servers of its own.
      { extends: true, test: { name: 'integration', include: ['server/**/*.test.ts'] } },
    ],
  },
})
