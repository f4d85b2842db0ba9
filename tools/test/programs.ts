/** Finds, or installs, the programs that the tests drive: Chromium, kubectl and redis-server. */
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { bin, capture, run } from '@/server/cli/process'

const systemBrowsers = [
  // The same engine without windows and menus around its pages, whose drawing costs processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a Chromium that can be started; installs one when there is none. */
export async function ensureBrowser(): Promise<string> {
  const found = findBrowser()
  if (found) return found
  process.stderr.write('evenkeel: installing a browser for the tests\n')
  if (isDebianRoot()) await install('chromium-headless-shell')
  else await run(bin('playwright'), ['install', 'chromium'])
  const installed = findBrowser()
  if (installed) return installed
  throw new Error('no Chromium was found or could be installed; set PLAYWRIGHT_CHROMIUM_PATH to one and try again')
}

/** Makes sure that kubectl is on the PATH; installs Debian's where that is possible. */
export async function ensureKubectl(): Promise<void> {
  if (await works('kubectl', ['version', '--client'])) return
  process.stderr.write('evenkeel: installing kubectl for the tests\n')
  if (isDebianRoot()) await install('kubernetes-client')
  if (!(await works('kubectl', ['version', '--client'])))
    throw new Error('kubectl is not on the PATH; install it (1.28 or newer) and try again')
}

/** Makes sure of a redis-server where that is possible. Without one the tests of several instances are left out, and say so. */
export async function ensureRedis(): Promise<void> {
  if (await works('redis-server', ['--version'])) return
  if (isDebianRoot()) {
    process.stderr.write('evenkeel: installing redis-server for the tests\n')
    await install('redis-server')
  }
  if (await works('redis-server', ['--version'])) return
  if (process.env.CI)
    throw new Error('redis-server is not on the PATH; install it (6.2 or newer), for here nothing may be left out')
  process.stderr.write('evenkeel: there is no redis-server on the PATH: the tests of several instances are left out\n')
}

function findBrowser(): string | undefined {
  const candidates = [process.env.PLAYWRIGHT_CHROMIUM_PATH, ...systemBrowsers, chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

async function works(program: string, question: readonly string[]): Promise<boolean> {
  return capture(program, question).then(
    ({ code }) => code === 0,
    () => false,
  )
}

function isDebianRoot(): boolean {
  const debian = existsSync('/etc/os-release') && /debian|ubuntu/i.test(readFileSync('/etc/os-release', 'utf8'))
  return debian && process.getuid?.() === 0
}

async function install(name: string): Promise<void> {
  await run('apt-get', ['update', '-qq'])
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
    DEBIAN_FRONTEND: 'noninteractive',
    RUNLEVEL: '1',
  })
}
