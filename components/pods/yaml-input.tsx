'use client'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
])

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '12px', maxHeight: '55vh' },
  '&.cm-focused': { outline: '2px solid var(--focus)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--ink-2)', borderRight: '1px solid var(--line)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--amount-2)' },
})

interface YamlInputProps {
  label: string
  /** What it begins with; mount it anew for another text. */
  initial: string
  onChange: (text: string) => void
}

/** A YAML editor. Tab leaves it, as it leaves every other field. */
export function YamlInput({ label, initial, onChange }: YamlInputProps) {
  const place = useRef<HTMLDivElement>(null)
  const first = useRef({ label, initial, onChange })
  useEffect(() => {
    const { label: name, initial: doc, onChange: tell } = first.current
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc,
        extensions: [
          // Its style sheets are added at run time; the policy of the page wants to know them.
          EditorView.cspNonce.of(globalThis.__webpack_nonce__ ?? ''),
          EditorView.contentAttributes.of({ 'aria-label': name }),
          EditorView.updateListener.of((update) => update.docChanged && tell(update.state.doc.toString())),
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          yaml(),
          syntaxHighlighting(COLOURS),
          LOOK,
          keymap.of([...defaultKeymap, ...historyKeymap]),
        ],
      }),
    })
    // A scrolling region must be reachable by keyboard.
    view.scrollDOM.tabIndex = 0
    return () => view.destroy()
  }, [])
  return <div ref={place} data-testid="yaml-input" className="rounded-panel border border-line-strong" />
}
