/** Marks in the editor what an edit changes: the lines that it adds, and those that it removes where they stood. */
import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { diffLines } from '@/lib/view/lab/diff'

/** Compares with another text from now on. */
export const comparedWith = StateEffect.define<string>()

/** Marks the differences from `before`. Removed lines are shown, and are no part of the document; `removed` names them. */
export function yamlChanges(before: string, removed: string): Extension {
  const field = StateField.define<{ before: string; marks: DecorationSet }>({
    create: ({ doc }) => ({ before, marks: marksOf(before, doc, removed) }),
    update: (value, { docChanged, effects, newDoc }) => {
      const told = effects.findLast((effect) => effect.is(comparedWith))
      if (!docChanged && !told) return value
      const base = told ? told.value : value.before
      return { before: base, marks: marksOf(base, newDoc, removed) }
    },
    provide: (self) => EditorView.decorations.from(self, ({ marks }) => marks),
  })
  return [field, THEME]
}

function marksOf(before: string, doc: Text, word: string): DecorationSet {
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
  for (const { kind, text } of diffLines(before, doc.toString())) {
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
