import { defineConfig } from '@playwright/test'

/** Browser journeys through the production build; each test starts its own product on free ports. */
export default defineConfig({
  testDir: 'e2e',
  // Each test has a product of its own, so that no worker is idle at the end while another has the rest of a long file.
  fullyParallel: true,
  // Journeys wait nearly half of their time; three at a time fill two cores.
  workers: 3,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // On a shared machine a journey has a second attempt, which the output names. Locally the first one counts.
  retries: process.env.CI === undefined ? 0 : 1,
  projects: [
    { name: 'en' },
    // The core of the journeys again in Chinese.
    { name: 'zh-CN', use: { locale: 'zh-CN' }, grep: /@core/ },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    reducedMotion: 'reduce',
    // Of a failure: what was done and sent, and the page at its end. Pictures and snapshots of every step cost a quarter
    // of all processor time; `npx playwright test NAME --trace on` takes them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.PLAYWRIGHT_CHROMIUM_PATH,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
