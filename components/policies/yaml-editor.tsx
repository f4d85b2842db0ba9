'use client'
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useMemo, useRef } from 'react'
import { completionsAt } from '@/lib/view/lab/completion'
import { diffCounts, type DiffLine, diffLines } from '@/lib/view/lab/diff'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Button } from '../ui/button'
import { yamlCode } from '../ui/yaml-code'
import type { Draft } from './use-lab'
import { changedLines, yamlChanges } from './yaml-changes'

/** The document as YAML, with completion from the schema of policies. */
export function YamlEditor({ draft }: { draft: Draft }) {
  const text = useText()
  const label = text('policies.yaml.label', { kind: draft.good.manifest.kind, name: draft.good.manifest.metadata.name })
  const lines = useMemo(() => diffLines(draft.first, draft.text), [draft.first, draft.text])
  const host = useEditor({ draft, lines, label, removed: text('policies.save.removed') })
  const { added, removed } = diffCounts(lines)
  const { problem } = draft
  return (
    <section
      aria-label={label}
      className="flex min-w-0 flex-col gap-2"
      data-testid="lab-yaml"
      data-valid={problem === undefined}
    >
      <h2 className="text-section">{label}</h2>
      <div ref={host} className="max-h-[60vh] min-h-48 overflow-auto rounded-control border border-line-strong" />
      <output className="flex flex-wrap items-center gap-2">
        <StateGlyph state={problem ? 'fail' : 'ok'} />
        <span>
          {problem
            ? text('policies.lab.invalid', { problem: problem.problem, line: problem.line ?? 0 })
            : text('policies.yaml.valid', { added, removed })}
        </span>
        {draft.isChanged && (
          <Button small variant="quiet" onClick={() => draft.change(draft.first)}>
            {text('policies.yaml.reset')}
          </Button>
        )}
      </output>
    </section>
  )
}

interface EditorParts {
  draft: Draft
  /** What the edit changes. */
  lines: readonly DiffLine[]
  label: string
  /** Names the lines that an edit removes. */
  removed: string
}

/** Creates an editor in the element of the ref. It follows the draft and reports typed text. */
function useEditor({ draft, lines, label, removed }: EditorParts) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useRef(draft.change)
  const start = useRef(draft.text)
  useEffect(() => {
    change.current = draft.change
  })
  useEffect(() => {
    if (host.current === null) return
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: start.current,
        extensions: [extensionsOf(label, (text) => change.current(text)), yamlChanges(removed)],
      }),
    })
    view.current = created
    return () => created.destroy()
  }, [label, removed])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === draft.text) return
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: draft.text },
      annotations: Transaction.userEvent.of(BY_FORM),
    })
  }, [draft.text])
  useEffect(() => {
    const editor = view.current
    // Text that is typed meanwhile gets lines of its own.
    if (editor?.state.doc.toString() === draft.text) editor.dispatch({ effects: changedLines.of(lines) })
  }, [draft.text, lines])
  useEffect(() => {
    const editor = view.current
    if (editor) editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, draft.problem?.line)))
  }, [draft.problem])
  return host
}

/** Marks what the form wrote: it needs no answer. */
const BY_FORM = 'input.form'

function extensionsOf(label: string, onType: (text: string) => void) {
  return [
    yamlCode(label),
    closeBrackets(),
    autocompletion({ override: [complete] }),
    EditorView.lineWrapping,
    TOOLTIPS,
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged && !transactions.some((each) => each.isUserEvent(BY_FORM))) onType(state.doc.toString())
    }),
  ]
}

function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w./-]*/)
  const found = completionsAt(context.state.doc.toString(), context.pos)
  if (found.length === 0 || (!context.explicit && word?.from === word?.to)) return null
  return {
    from: word?.from ?? context.pos,
    options: found.map(({ label, isField }) => ({
      label,
      type: isField ? 'property' : 'enum',
      apply: isField ? `${label}: ` : label,
    })),
  }
}

function diagnosticsOf({ doc }: EditorState, line: number | undefined): Diagnostic[] {
  if (line === undefined || line < 1 || line > doc.lines) return []
  const { from, to } = doc.line(line)
  return [{ from, to: Math.max(to, from), severity: 'error', message: '' }]
}

const TOOLTIPS = EditorView.theme({
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--ink)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--fail)' },
})
