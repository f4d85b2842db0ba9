/**
 * The inside of the sandbox: one thread that runs one script at a time in a fresh Lua state. It is started by Node as it is,
 * so it imports nothing of ours and keeps to syntax that can be stripped. What scripts may use is written out here: no files,
 * no processes, no clock, no loading of code.
 */
import { receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import { LuaFactory } from 'wasmoon'

interface Request {
  source: string
  entry: string
  /** Absent: the script is only loaded, to see whether it can be. */
  args?: unknown[]
}

interface Setup {
  port: MessagePort
  /** Asked for helpers that only the main thread knows: [0] is raised when the answer is there. */
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
// Loading the Lua machine counts against no script's budget.
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

/** A call from the outside would not survive an error of the script; one from a script does. No function answers more than two values. */
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

/** Waits for the main thread. Throws what went wrong there. */
function ask(helper: string, given: unknown[]): unknown {
  Atomics.store(signal, 0, 0)
  port.postMessage({ helper, given: JSON.parse(JSON.stringify(given)) as unknown })
  Atomics.wait(signal, 0, 0)
  const { message } = receiveMessageOnPort(port) as { message: { answer?: unknown; failure?: string } }
  if (message.failure !== undefined) throw new Error(message.failure)
  return message.answer
}
