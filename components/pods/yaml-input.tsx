'use client'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { yamlCode } from '../ui/yaml-code'

const HEIGHT = EditorView.theme({ '&': { maxHeight: '55vh' } })

interface YamlInputProps {
  label: string
  /** What it begins with; mount it anew for another text. */
  initial: string
  onChange: (text: string) => void
}

/** An editor for a whole object. */
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
          yamlCode(name),
          HEIGHT,
          EditorView.updateListener.of((update) => update.docChanged && tell(update.state.doc.toString())),
        ],
      }),
    })
    // A scrolling region must be reachable by keyboard.
    view.scrollDOM.tabIndex = 0
    return () => view.destroy()
  }, [])
  return <div ref={place} data-testid="yaml-input" className="rounded-panel border border-line-strong" />
}
