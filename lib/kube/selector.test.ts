import { describe, expect, it } from 'vitest'
import { compileJsonPath } from './jsonpath'
import { compileRequirements, matchesLabelSelector, matchesRequirements } from './selector'
import { matchesFields, parseFieldSelector, parseLabelSelector } from './selector-text'

const labels = { app: 'web', tier: 'a', size: '10' }

describe('a label selector in a query', () => {
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['constructor', false],
    ['tier in (a,b)', true],
    ['tier notin (a,b)', false],
    ['tier in (c)', false],
    ['none notin (a)', true],
    ['app=web,tier=a', true],
    ['app=web, tier = b', false],
    ['size>9', true],
    ['size<10', false],
    ['app>1', false],
    ['app=', false],
    ['tier in (,a)', true],
    ['in=x', false],
    ['in', false],
  ])('%j: %s', (text, matches) => {
    const parsed = parseLabelSelector(text)
    expect(parsed.ok && matchesRequirements(parsed.value, labels)).toBe(matches)
    expect(parsed.ok && compileRequirements(parsed.value)(labels)).toBe(matches)
  })

  it.each([
    ['a==b==c', "found '==', expected: ',' or 'end of string'"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a ~ b', "unable to parse requirement: found '~', expected: in, notin, =, ==, !=, gt, lt"],
  ])('%j is refused: %s', (text, error) => {
    expect(parseLabelSelector(text)).toEqual({ ok: false, error })
  })

  it('names the malformed key', () => {
    const parsed = parseLabelSelector('-bad=1')
    expect(parsed.ok ? '' : parsed.error).toMatch(
      /^unable to parse requirement: <nil>: Invalid value: "-bad": name part must consist/,
    )
  })
})

describe('a label selector of an object', () => {
  it.each([
    [{}, true],
    [{ matchLabels: { app: 'web' } }, true],
    [{ matchLabels: { app: 'x' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: [] }] }, false],
    [{ matchExpressions: [{ key: 'gone', operator: 'DoesNotExist' }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'Exists', values: ['web'] }] }, false],
  ])('%j: %s', (selector, matches) => {
    expect(matchesLabelSelector(selector, labels)).toBe(matches)
  })
})

describe('a field selector', () => {
  const read = (field: string) => ({ 'metadata.name': 'a,b', 'spec.nodeName': '' })[field] ?? ''
  it.each([
    ['metadata.name=a\\,b', true],
    ['metadata.name!=x', true],
    ['metadata.name==x', false],
    ['spec.nodeName=', true],
    ['metadata.name=a\\,b,spec.nodeName!=', false],
    ['', true],
  ])('%j: %s', (text, matches) => {
    const parsed = parseFieldSelector(text)
    expect(parsed.ok && matchesFields(parsed.value, read)).toBe(matches)
  })

  it.each(['metadata.name', 'metadata.name in (a)'])('%j cannot be understood', (text) => {
    expect(parseFieldSelector(text)).toEqual({
      ok: false,
      error: `invalid selector: '${text}'; can't understand '${text}'`,
    })
  })
})

describe('a JSONPath of a printer column', () => {
  const object = {
    metadata: { annotations: { 'a.b/c': 'x' } },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Old', status: 'False' },
      ],
      list: [1, 2],
    },
  }
  it.each([
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["{.status.conditions[?(@.type=='Old')].status}", ['False']],
    ['.status.conditions[*].type', ['Ready', 'Old']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Old']],
    ['.status.list[0]', [1]],
    ['.status.list[-1]', [2]],
    ['.status.list[7]', []],
    ['.metadata.annotations.a\\.b/c', ['x']],
    ["$.metadata.annotations['a.b/c']", ['x']],
    ['.nope.deep', []],
    ['.status.list[?(@ == 2)]', [2]],
    ['.metadata.name[?(@ == "a")]', []],
  ])('%s selects %j', (path, values) => {
    expect(compileJsonPath(path)(object)).toEqual(values)
  })

  it('refuses what it cannot express', () => {
    expect(() => compileJsonPath('.a[1:2]')).toThrow(SyntaxError)
  })
})
