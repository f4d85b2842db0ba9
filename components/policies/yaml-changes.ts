/** Marks in the editor what an edit changes: the lines that it adds, and those that it removes where they stood. */
import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { DiffLine } from '@/lib/view/lab/diff'

/** Marks these lines from now on. Those that are not removed are the lines of the document. */
export const changedLines = StateEffect.define<readonly DiffLine[]>()

/** Shows the marks. Removed lines are no part of the document; `removed` names them. */
export function yamlChanges(removed: string): Extension {
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (marks, { changes, effects, newDoc }) => {
      const told = effects.findLast((effect) => effect.is(changedLines))
      return told ? marksOf(told.value, newDoc, removed) : marks.map(changes)
    },
    provide: (self) => EditorView.decorations.from(self),
  })
  return [field, THEME]
}

function marksOf(lines: readonly DiffLine[], doc: Text, word: string): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>()
  let removed: string[] = []
  let number = 1
  const placeRemoved = (): void => {
    if (removed.length === 0) return
    const widget = new RemovedLines(removed, word)
    // Lines that are gone from the end of the document stand below its last line.
    const [at, side] = number <= doc.lines ? [doc.line(number).from, -1] : [doc.length, 1]
    marks.add(at, at, Decoration.widget({ widget, block: true, side }))
    removed = []
  }
  for (const { kind, text } of lines) {
    if (kind === 'removed') {
      removed.push(text)
      continue
    }
    placeRemoved()
    if (kind === 'added') {
      const { from } = doc.line(number)
      marks.add(from, from, Decoration.line({ class: 'cm-added' }))
    }
    number += 1
  }
  placeRemoved()
  return marks.finish()
}

class RemovedLines extends WidgetType {
  constructor(
    private readonly lines: readonly string[],
    private readonly word: string,
  ) {
    super()
  }

  override eq(other: RemovedLines): boolean {
    return other.word === this.word && other.lines.join('\n') === this.lines.join('\n')
  }

  override toDOM(): HTMLElement {
    const block = document.createElement('div')
    block.className = 'cm-removed'
    block.setAttribute('role', 'note')
    block.setAttribute('aria-label', `${this.word}: ${this.lines.join('; ')}`)
    for (const text of this.lines) {
      const line = document.createElement('div')
      line.textContent = text === '' ? '\u00A0' : text
      block.append(line)
    }
    return block
  }
}

/** The sign stands in the padding that every line has. */
const sign = (content: string): Record<string, string> => ({
  content: `"${content}"`,
  position: 'absolute',
  left: '4px',
  color: 'var(--ink-2)',
})

const THEME = EditorView.theme({
  '.cm-line, .cm-removed > div': { position: 'relative', paddingLeft: '18px' },
  '.cm-added': { backgroundColor: 'var(--chosen)' },
  '.cm-added::before': sign('+'),
  '.cm-removed': { backgroundColor: 'var(--chart-lost-fill)', color: 'var(--ink-2)', whiteSpace: 'pre-wrap' },
  '.cm-removed > div::before': sign('−'),
})
