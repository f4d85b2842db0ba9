import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { auditDependencies, judgeAudit } from './audit'
import { checkLicences, isAllowed } from './licences'

const report = (severity: string): string =>
  `npm warn something\n${JSON.stringify(
    {
      auditReportVersion: 2,
      vulnerabilities: {
        lodash: {
          name: 'lodash',
          severity,
          range: '<4.17.21',
          fixAvailable: true,
          via: [{ title: 'Prototype pollution', url: 'https://x/1' }],
        },
      },
    },
    null,
    2,
  )}\n`

describe('the audit of dependencies', () => {
  test.each([
    ['high', 1],
    ['critical', 1],
    ['moderate', 0],
    ['low', 0],
  ])('%s gives %d', (severity, code) => {
    expect(judgeAudit(report(severity)).code).toBe(code)
  })

  test('names the package to update', () => {
    expect(judgeAudit(report('high')).output).toBe(
      'high: lodash <4.17.21 Prototype pollution https://x/1 (a fixed version exists: raise it in package.json)',
    )
  })

  test.each([
    [
      'a registry without that endpoint',
      'npm warn audit 405\n{\n  "message": "405 Method Not Allowed - POST https://r/advisories/bulk",\n  "statusCode": 405,\n  "error": {\n    "summary": ""\n  }\n}\nnpm error log\n',
      'not audited: 405 Method Not Allowed - POST https://r/advisories/bulk',
    ],
    [
      'no network',
      '{\n  "message": "request to https://r/ failed, reason: getaddrinfo ENOTFOUND r",\n  "error": {\n    "summary": "x"\n  }\n}\n',
      'not audited: request to https://r/ failed, reason: getaddrinfo ENOTFOUND r',
    ],
    ['no JSON at all', 'npm error code ENOTCACHED\n', 'not audited: npm error code ENOTCACHED'],
    ['nothing', '', 'not audited: npm audit printed nothing'],
  ])('is said not to have happened, and fails nothing: %s', (_, printed, note) => {
    expect(judgeAudit(printed)).toEqual({ code: 0, output: '', note })
  })

  test('a clean report is no finding', () => {
    expect(judgeAudit('{\n  "auditReportVersion": 2,\n  "vulnerabilities": {}\n}\n')).toEqual({
      code: 0,
      output: '',
      note: 'no findings',
    })
  })

  test('is no failure without npm', async () => {
    const { code, note } = await auditDependencies('/nowhere/npm')
    expect(code).toBe(0)
    expect(note).toMatch(/^not audited: npm could not be started/)
  })
})

describe('licences', () => {
  test.each([
    ['MIT', true],
    ['GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-only)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-2.0-only', false],
    ['(MIT AND (ISC OR GPL-2.0-only))', true],
    ['(GPL-2.0-only OR (MIT AND AGPL-3.0-only))', false],
    ['SEE LICENSE IN LICENSE', false],
    ['', false],
    ['UNLICENSED', false],
  ])('%s: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed)
  })

  test('reports dependencies that are not listed, and ignores those for development or other platforms', () => {
    const root = mkdtempSync(join(tmpdir(), 'licences-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const write = (path: string, content: object): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), JSON.stringify(content))
    }
    const packages = { good: {}, old: {}, bad: {}, silent: {}, tool: { dev: true }, 'other-platform': {} }
    write('package-lock.json', {
      packages: {
        '': {},
        ...Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry])),
      },
    })
    write('node_modules/good/package.json', { name: 'good', license: 'MIT' })
    write('node_modules/old/package.json', { name: 'old', licenses: [{ type: 'GPL-2.0' }, { type: 'MIT' }] })
    write('node_modules/bad/package.json', { name: 'bad', license: 'AGPL-3.0-only' })
    write('node_modules/silent/package.json', { name: 'silent' })
    write('node_modules/tool/package.json', { name: 'tool', license: 'AGPL-3.0-only' })
    expect(checkLicences(root)).toEqual({
      code: 1,
      note: '4 packages',
      output:
        'bad is under AGPL-3.0-only, which is not on the list in tools/check/licences.ts\nsilent names no licence: read it, then allow the package or replace it',
    })
  })

  test('all that is shipped may be', () => {
    expect(checkLicences()).toMatchObject({ code: 0, output: '' })
  })
})
