'use client'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Text } from '@/lib/messages'
import type { DraftProblem } from '@/lib/view/rehearsal/draft'
import { useText } from '../messages/use-text'
import { yamlCode } from '../ui/yaml-code'

interface ScenarioEditorProps {
  text: string
  problems: readonly DraftProblem[]
  onType: (text: string) => void
}

/** Marks what the form wrote: it needs no answer. */
const BY_FORM = 'input.form'

/** The scenario as YAML, with its problems at their lines. */
export function ScenarioEditor({ text: yaml, problems, onType }: ScenarioEditorProps) {
  const text = useText()
  const label = text('rehearsals.new.yaml')
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const first = useRef(yaml)
  const tell = useRef(onType)
  useEffect(() => {
    tell.current = onType
  })
  useEffect(() => {
    if (host.current === null) return
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          yamlCode(label),
          EditorView.lineWrapping,
          LINT,
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (docChanged && !transactions.some((each) => each.isUserEvent(BY_FORM)))
              tell.current(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = created
    return () => created.destroy()
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === yaml) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: yaml },
      annotations: Transaction.userEvent.of(BY_FORM),
    })
  }, [yaml])
  useEffect(() => {
    const editor = view.current
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, problems, text)))
  }, [problems, text])
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-2" data-testid="scenario-yaml">
      <h3 className="font-medium">{label}</h3>
      <div ref={host} className="max-h-[60vh] min-h-48 overflow-auto rounded-control border border-line-strong" />
    </section>
  )
}

function diagnosticsOf({ doc }: EditorState, problems: readonly DraftProblem[], text: Text): Diagnostic[] {
  return problems.flatMap(({ line, message }) => {
    if (line === undefined || line < 1 || line > doc.lines) return []
    const { from, to } = doc.line(line)
    return [{ from, to, severity: 'error' as const, message: text.of(message) }]
  })
}

const LINT = EditorView.theme({
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--fail)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
})
