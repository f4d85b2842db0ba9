/** Kubernetes' CEL functions on the forms of names: `format.dns1123Label().validate(self)`. */
import { type Environment, Optional } from '@marcbachmann/cel-js'
import {
  checkDns1035Label,
  checkDnsLabel,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
} from '../validation/formats'
import { parseUrl } from './url'
import { functionsOf, Library } from './functions'

class NamedFormat {
  constructor(readonly check: (value: string) => string[]) {}
}

class FormatLibrary extends Library {
  readonly name = 'format'
}

const TYPE = 'kubernetes.NamedFormat'
const UUID = /^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$/

const checks: Readonly<Record<string, (value: string) => string[]>> = {
  dns1123Label: checkDnsLabel,
  dns1123Subdomain: checkSubdomain,
  dns1035Label: checkDns1035Label,
  dns1123LabelPrefix: (value) => checkDnsLabel(value.replace(/-$/, 'a')),
  dns1123SubdomainPrefix: (value) => checkSubdomain(value.replace(/-$/, 'a')),
  dns1035LabelPrefix: (value) => checkDns1035Label(value.replace(/-$/, 'a')),
  qualifiedName: checkQualifiedName,
  labelValue: checkLabelValue,
  uri: (value) => (parseUrl(value) ? [] : ['invalid URI']),
  uuid: (value) => (UUID.test(value) ? [] : ['does not match the UUID format']),
}

export function registerFormats(env: Environment): void {
  const add = functionsOf(env)
  env.registerType(TYPE, NamedFormat).registerType('FormatLibrary', FormatLibrary)
  env.registerConstant('format', 'FormatLibrary', new FormatLibrary())
  for (const [name, check] of Object.entries(checks)) {
    const known = new NamedFormat(check)
    add(`FormatLibrary.${name}(): ${TYPE}`, () => known)
  }
  add(`FormatLibrary.named(string): optional<${TYPE}>`, (_: unknown, name: string) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    return check ? Optional.of(new NamedFormat(check)) : Optional.none()
  })
  add(`${TYPE}.validate(string): optional<list<string>>`, ({ check }: NamedFormat, value: string) => {
    const problems = check(value)
    return problems.length > 0 ? Optional.of(problems) : Optional.none()
  })
}
