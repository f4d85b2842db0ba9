import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** What every YAML editor has, in the colours of the theme. Tab leaves it, as it leaves every other field. */
export const yamlCode = (label: string): Extension => [
  // Style sheets are added at run time and need the nonce of the page's policy.
  EditorView.cspNonce.of(globalThis.__webpack_nonce__ ?? ''),
  EditorView.contentAttributes.of({ 'aria-label': label }),
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  yaml(),
  syntaxHighlighting(COLOURS),
  THEME,
  keymap.of([...defaultKeymap, ...historyKeymap]),
]

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.comment], color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.invalid], color: 'var(--fail)' },
])

const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', fontSize: '12px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--ink-2)', borderRight: '1px solid var(--line)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--amount-2)',
  },
})
