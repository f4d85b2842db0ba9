import { expect, test } from 'vitest'
import { ConfigError, parseConfig, usage } from './config'
import { terminalText } from './terminal'

test.each([
  [{}, 'en'],
  [{ LANG: 'de_DE.UTF-8' }, 'en'],
  [{ LANG: 'zh_CN.UTF-8' }, 'zh-CN'],
  [{ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'zh_CN.UTF-8', LC_ALL: '' }, 'zh-CN'],
  [{ LANG: 'C', LC_MESSAGES: 'zh_TW' }, 'zh-CN'],
])('the language of a terminal with %j is %s', (env, locale) => {
  expect(terminalText(env).locale).toBe(locale)
})

test('help and errors are in the language of the terminal', () => {
  const text = terminalText({ LANG: 'zh_CN.UTF-8' })
  expect(usage(text)).toMatch(/--port +控制台的端口（PORT，默认 3000）/)
  const error = (() => {
    try {
      return parseConfig(['--port', 'http'], {})
    } catch (thrown) {
      return thrown
    }
  })() as ConfigError
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toBe('--port (PORT) must be a port from 0 to 65535, not "http"')
  expect(text.of(error.detail)).toBe('--port (PORT) 必须是 0 到 65535 的端口，而不是 "http"')
})
