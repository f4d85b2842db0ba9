/**
 * The worker of the sandbox: a thread that runs one script at a time in a fresh Lua state. Node starts this file as it
 * is, so it imports no other project file and uses only syntax that can be stripped. The libraries that scripts may use
 * are listed here: no files, processes, clock, or loading of code.
 */
import { receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import { LuaFactory } from 'wasmoon'

interface Request {
  source: string
  entry: string
  /** Absent: the script is only loaded, to check it. */
  args?: unknown[]
}

interface Setup {
  port: MessagePort
  /** For helpers that run in the main thread: [0] is set when the result is available. */
  signal: Int32Array
  memoryBytes: number
}

const LIBRARIES = ['_G', 'table', 'string', 'math'] as const
const REMOVED = ['dofile', 'load', 'loadfile', 'loadstring', 'collectgarbage']
/** Their output is discarded. */
const SILENT = ['print', 'warn']
const HELPERS = ['accuratePodRequirements', 'getPodDependencies', 'getResourceQuantity', 'resourceAdd']

const { port, signal, memoryBytes } = workerData as Setup
const factory = new LuaFactory()
// Loading the Lua runtime does not count against any script's time limit.
await factory.getLuaModule()

port.on('message', (request: Request) => {
  void run(request).then(
    (values) => port.postMessage({ values }),
    (error: unknown) => port.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  )
})
port.postMessage({ ready: true })

async function run({ source, entry, args }: Request): Promise<unknown[]> {
  const lua = await factory.createEngine({
    openStandardLibs: false,
    injectObjects: false,
    enableProxy: false,
    traceAllocations: true,
  })
  try {
    const { global } = lua
    for (const library of LIBRARIES) global.loadLibrary(library as never)
    for (const name of REMOVED) global.set(name, undefined)
    for (const name of SILENT) global.set(name, () => undefined)
    lua.doStringSync('string.dump = nil')
    const kube = Object.fromEntries(HELPERS.map((name) => [name, (...given: unknown[]) => ask(name, given)]))
    global.set('kube', kube)
    global.set('require', (name: unknown) => {
      if (name !== 'kube') throw new Error(`module ${String(name)} is not available`)
      return kube
    })
    global.setMemoryMax(memoryBytes)
    lua.doStringSync(source)
    if (typeof global.get(entry) !== 'function') throw new Error(`the script does not define the function ${entry}`)
    return args ? call(lua, entry, args) : []
  } finally {
    lua.global.close()
  }
}

/**
 * Wrapped in Lua, because a call from JavaScript would not survive an error of the script. No function returns more
 * than two values.
 */
function call(lua: Awaited<ReturnType<LuaFactory['createEngine']>>, entry: string, args: unknown[]): unknown[] {
  lua.global.set('arguments', Object.fromEntries(args.map((arg, index) => [`a${index + 1}`, arg])))
  const values = lua.doStringSync(`
    local given = arguments
    arguments = nil
    local first, second = ${entry}(given.a1, given.a2)
    return { first = first, second = second }
  `) as { first?: unknown; second?: unknown }
  return [values.first, values.second]
}

/** Calls a helper in the main thread and blocks until its result. Throws the helper's error. */
function ask(helper: string, given: unknown[]): unknown {
  Atomics.store(signal, 0, 0)
  port.postMessage({ helper, given: JSON.parse(JSON.stringify(given)) as unknown })
  Atomics.wait(signal, 0, 0)
  const { message } = receiveMessageOnPort(port) as { message: { answer?: unknown; failure?: string } }
  if (message.failure !== undefined) throw new Error(message.failure)
  return message.answer
}
