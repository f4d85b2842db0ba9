import { describe, expect, it } from 'vitest'
import { compileIn } from './compile'
import { newEnvironment } from './environment'
import { compileCel } from './index'
import { toCelValue } from './value'

const OBJECT = {
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: { replicas: 3, ratio: 1.5, ports: [80, 443], image: 'registry.example.com/web:1', hosts: ['a', 'b', 'a'] },
}

function evaluate(expression: string, object: unknown = OBJECT): unknown {
  const program = compileCel(expression, { object: 'dyn', oldObject: 'dyn' }, 'dyn')
  if (!program.ok) throw new Error(program.error)
  const result = program.value.run({ object, oldObject: null })
  expect(result, 'what is not read makes no difference').toEqual(evaluateWhole(expression, object))
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** The result with the whole object as a CEL value. */
function evaluateWhole(expression: string, object: unknown): unknown {
  const env = newEnvironment().registerVariable('object', 'dyn').registerVariable('oldObject', 'dyn')
  const program = compileIn(env, expression, 'dyn')
  return program.ok && program.value.run({ object: toCelValue(object), oldObject: null })
}

describe('an expression over an object', () => {
  it.each([
    ['reads a field as a whole number', 'object.spec.replicas == 3'],
    ['compares whole numbers with fractions', 'object.spec.ratio < 2.0 && object.spec.ratio > 1.0'],
    ['knows which fields are there', 'has(object.metadata.labels) && !has(object.metadata.annotations)'],
    ['takes a default for a field that is not there', "object.metadata.?annotations['x'].orValue('none') == 'none'"],
    ['sees an absent old object as null', 'oldObject == null'],
    ['finds every element', 'object.spec.ports.all(port, port > 0 && port < 65536)'],
    ['finds some element', 'object.spec.ports.exists(port, port == 443)'],
    ['walks over the keys of a map', "object.metadata.labels.all(key, key.startsWith('a'))"],
    ['matches in linear time', "object.spec.image.matches('^registry\\\\.example\\\\.com/')"],
    ['finds by pattern', "object.spec.image.find('[a-z]+:[0-9]') == 'web:1'"],
    ['finds all by pattern', "'a1b22'.findAll('[0-9]+') == ['1', '22']"],
    ['replaces', "'a-b-c'.replace('-', '.') == 'a.b.c' && 'a-b-c'.replace('-', '.', 1) == 'a.b-c'"],
    ['formats', "'%s has %d'.format(['web', 3]) == 'web has 3'"],
    ['sorts out lists', '[1, 2, 3].isSorted() && [1, 2, 3].sum() == 6 && [1, 5, 2].max() == 5 && [4, 2].min() == 2'],
    ['finds positions', "['a', 'b', 'a'].indexOf('a') == 0 && ['a', 'b', 'a'].lastIndexOf('a') == 2"],
    [
      'treats lists as sets',
      "sets.contains(object.spec.hosts, ['b']) && sets.equivalent(['a', 'b'], object.spec.hosts)",
    ],
    [
      'calculates with quantities',
      "quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0 && quantity('50k').sub(20000).isGreaterThan(quantity('20k'))",
    ],
    ['knows what a quantity is', "isQuantity('1.3M') && !isQuantity('many')"],
    ['reads addresses', "ip('192.168.0.1').family() == 4 && isIP('::1') && !isIP('1.2.3') && ip('::1').isLoopback()"],
    ['reads blocks', "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsCIDR('0.0.0.0/0')"],
    ['masks blocks', "string(cidr('192.168.7.9/16').masked()) == '192.168.0.0/16'"],
    ['writes addresses canonically', "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8:0::1')"],
    ['reads URLs', "url('https://example.com:8443/a%20b?x=1').getPort() == '8443' && isURL('/path') && !isURL('nope')"],
    ['reads queries', "url('https://h/p?k=a&k=b').getQuery()['k'] == ['a', 'b']"],
    [
      'checks the form of names',
      "!format.dns1123Label().validate('web').hasValue() && format.dns1123Label().validate('We b').hasValue()",
    ],
    ['reads a field by index', "object['spec']['replicas'] == 3 && object.metadata['labels'].app == 'web'"],
    ['reads a field by a name that is not fixed', "object['sp' + 'ec'].replicas == 3"],
    [
      'reads an object and a field of it',
      "'ratio' in object.spec && object.spec.replicas == 3 && size(object.spec) == 5",
    ],
    ['reads an object of which it asked for a field before', 'has(object.spec.image) && size(object.spec) == 5'],
    ['reads a field for each element', 'object.spec.ports.all(port, object.spec.replicas < port)'],
    [
      'has loops over a variable of the same name',
      "[{'a': 1}].all(object, object.a == 1) && object.spec.replicas == 3",
    ],
    [
      'selects into what is no object',
      'has(object.spec.replicas) && !has(object.spec.none) && size(object.spec.image) > 9',
    ],
    ['reads times', "timestamp('2026-01-02T03:04:05Z').getFullYear() == 2026 && duration('1h') > duration('59m')"],
  ])('%s', (_, expression) => {
    expect(evaluate(expression)).toBe(true)
  })

  it.each([
    ['a field that is not there', 'object.spec.nothing == 1', 'no such key: nothing'],
    ['an index behind the end', 'object.spec.ports[7] == 1', 'index out of bounds: 7'],
    ['a field of a list', 'object.spec.ports.name == 1', 'no such key: name'],
    ['a field of what is not there', 'object.status.name == 1', 'no such key: status'],
    ['a division by zero', '1 / (object.spec.replicas - 3) == 1', 'division by zero'],
  ])('fails on %s', (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message)
  })

  it.each([
    [
      'an unknown name',
      'objekt.spec',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')\n | objekt.spec\n | ^",
    ],
    [
      'types that do not fit',
      "1 + 'a' == 2",
      "compilation failed: ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | 1 + 'a' == 2\n | ..^",
    ],
    [
      'a function that does not take its argument',
      'size(1) > 0',
      "compilation failed: ERROR: <input>:1:5: found no matching overload for 'size' applied to '(int)'\n | size(1) > 0\n | ....^",
    ],
    [
      'a field of a time',
      "timestamp('2020-01-01T00:00:00Z').year == 2020",
      "compilation failed: ERROR: <input>:1:34: type 'timestamp' does not support field selection\n | timestamp('2020-01-01T00:00:00Z').year == 2020\n | .................................^",
    ],
    [
      'a field of a duration inside of a loop',
      "[duration('1s')].all(a, has(a.x))",
      "compilation failed: ERROR: <input>:1:30: type 'duration' does not support field selection\n | [duration('1s')].all(a, has(a.x))\n | .............................^",
    ],
    ['a result that is no bool', "'a'", 'must evaluate to bool but got string'],
  ])('is refused for %s', (_, expression, error) => {
    expect(compileCel(expression, { object: 'dyn' })).toEqual({ ok: false, error })
  })

  it('is refused when it is no expression', () => {
    expect(compileCel('object.', { object: 'dyn' }).ok).toBe(false)
  })

  it('leaves alone what it does not read', () => {
    const object = { ...OBJECT, status: new Proxy({}, { ownKeys: () => expect.unreachable() }) }
    const program = compileCel('has(object.spec.image) && object.spec.replicas == 3', { object: 'dyn' })
    expect(program.ok && program.value.run({ object })).toEqual({ ok: true, value: true })
  })

  it('is given up when it takes too long', () => {
    const list = Array.from({ length: 300 }, (_, index) => index)
    const program = compileCel('object.all(a, object.all(b, object.all(c, a + b + c >= 0)))', { object: 'dyn' })
    if (!program.ok) throw new Error(program.error)
    expect(program.value.run({ object: list })).toEqual({
      ok: false,
      error: { message: 'call cost limit exceeded', exhausted: true },
    })
  })

  it.each([
    ['all of a letter', ".replace('a', 'aa')"],
    ['some of a letter', ".replace('a', 'aa', 1000000000)"],
    ['every gap', ".replace('', 'a')"],
  ])('is given up when replacing %s makes a text ever longer', (_what, step) => {
    const program = compileCel(`object${step.repeat(24)}.size() > 0`, { object: 'string' })
    if (!program.ok) throw new Error(program.error)
    expect(program.value.run({ object: 'aaaaaaaaaa' })).toEqual({
      ok: false,
      error: { message: 'call cost limit exceeded', exhausted: true },
    })
  })

  it('replaces as Go does', () => {
    expect(evaluate("object.replace('a', 'b') + object.replace('a', 'b', 1) + object.replace('', '-')", 'aca')).toBe(
      'bcbbca-a-c-a-',
    )
  })

  it('does not backtrack in the patterns of users', () => {
    expect(evaluate("object.matches('^(a+)+$')", `${'a'.repeat(5000)}!`)).toBe(false)
  })

  it('reads names of fields that every object of the language has', () => {
    expect(evaluate('has(object.__proto__) || has(object.constructor)')).toBe(false)
    expect(evaluate("'constructor' in object", JSON.parse('{"constructor": 1, "__proto__": 2}'))).toBe(true)
  })
})
