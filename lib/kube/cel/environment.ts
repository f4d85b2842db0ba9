/** The CEL environment of Kubernetes: the language with optional values, and the functions that Kubernetes adds. */
import { Environment } from '@marcbachmann/cel-js'
import { registerFormats } from './library-format'
import { registerLists } from './library-lists'
import { registerNet } from './library-net'
import { registerQuantity } from './library-quantity'
import { registerText } from './library-text'

let shared: Environment | undefined

/** Returns a new environment without variables. */
export function newEnvironment(): Environment {
  shared ??= build()
  return shared.clone()
}

function build(): Environment {
  // Mixed lists are what `format` takes.
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  registerText(env)
  registerLists(env)
  registerNet(env)
  registerQuantity(env)
  registerFormats(env)
  return env
}
