'use client'
import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import type { RehearsalBody, RehearsalView } from '@/lib/view/rehearsal-model'
import {
  type Draft,
  EXAMPLES,
  type Example,
  exampleText,
  lossText,
  problemsIn,
  readDraft,
  withValue,
} from '@/lib/view/rehearsal/draft'
import { ask } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Choice } from '../ui/choice'
import { TextField } from '../ui/field'
import { Rows } from './rows'
import { ScenarioEditor } from './scenario-editor'

interface ComposerProps {
  /** Of the fleet, to choose from. */
  clusters: readonly string[]
  /** Begins with the loss of these. */
  lost?: readonly string[] | undefined
  /** Begins with this scenario. */
  earlier?: string | undefined
}

/** As much as the server takes. */
const MAX_FILE_LENGTH = 512 * 1024

/** A scenario as fields and as YAML: one text, edited in either. */
export function Composer({ clusters, lost, earlier }: ComposerProps) {
  const text = useText()
  const [yaml, setYaml] = useState(
    () => earlier ?? (lost && lost.length > 0 ? lossText(lost) : exampleText('outage', clusters)),
  )
  const draft = useMemo(() => readDraft(yaml), [yaml])
  const problems = useMemo(() => problemsIn(yaml), [yaml])
  return (
    <section
      aria-label={text('rehearsals.new.title')}
      className="flex min-w-0 flex-col gap-4"
      data-testid="composer"
      data-valid={problems.length === 0}
    >
      <h2 className="text-section">{text('rehearsals.new.title')}</h2>
      <Beginnings clusters={clusters} onText={setYaml} />
      <div className="grid min-w-0 gap-6 wide:grid-cols-2">
        <Form draft={draft} yaml={yaml} clusters={clusters} onText={setYaml} />
        <div className="flex min-w-0 flex-col gap-2">
          <ScenarioEditor text={yaml} problems={problems} onType={setYaml} />
          <output className="flex flex-col gap-1" data-testid="scenario-problems">
            <span className="flex items-center gap-2">
              <StateGlyph state={problems.length > 0 ? 'fail' : 'ok'} />
              {problems.length > 0
                ? text('rehearsals.new.problems', { n: problems.length })
                : text('rehearsals.new.valid')}
            </span>
            {problems.length > 0 && (
              <ul className="ml-6 list-disc">
                {problems.map(({ message }, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- problems have no other identity
                  <li key={index} className="break-words">
                    {text.of(message)}
                  </li>
                ))}
              </ul>
            )}
          </output>
          <Start yaml={yaml} isValid={problems.length === 0} />
        </div>
      </div>
    </section>
  )
}

function Start({ yaml, isValid }: { yaml: string; isValid: boolean }) {
  const text = useText()
  const router = useRouter()
  const [asked, setAsked] = useState<{ pending: boolean; error?: Error }>({ pending: false })
  const start = async (): Promise<void> => {
    setAsked({ pending: true })
    try {
      const body: RehearsalBody = { scenario: yaml }
      const { id } = await ask<RehearsalView>('/api/v1/rehearsals', body)
      router.push(href.rehearsal(id))
    } catch (error) {
      setAsked({ pending: false, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Button variant="primary" disabled={!isValid || asked.pending} onClick={() => void start()}>
        {text('rehearsals.new.run')}
      </Button>
      <ActionError error={asked.error} />
    </div>
  )
}

function Beginnings({ clusters, onText }: { clusters: readonly string[]; onText: (text: string) => void }) {
  const text = useText()
  const [problem, setProblem] = useState<string>()
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (file.size > MAX_FILE_LENGTH) {
      return setProblem(text('rehearsals.new.fileTooLong', { limit: { bytes: MAX_FILE_LENGTH } }))
    }
    setProblem(undefined)
    onText(await file.text())
  }
  return (
    <div className="flex flex-wrap items-end gap-4">
      <Choice<Example | ''>
        label={text('rehearsals.new.example')}
        value=""
        onChange={(example) => example !== '' && onText(exampleText(example, clusters))}
        options={[
          { value: '', label: text('rehearsals.new.example.choose') },
          ...EXAMPLES.map((value) => ({ value, label: text(`rehearsals.new.example.${value}`) })),
        ]}
      />
      <label className="flex max-w-full min-w-0 flex-col gap-0.5">
        <span className="text-label text-ink-2">{text('rehearsals.new.file')}</span>
        <input
          type="file"
          accept=".yaml,.yml,.json"
          className="max-w-full file:mr-2 file:rounded-control file:border file:border-solid file:border-line-strong file:bg-transparent file:px-3 file:py-1 file:font-medium file:text-ink"
          onChange={({ target }) => void load(target.files?.[0])}
        />
      </label>
      {problem !== undefined && (
        <p role="alert" className="text-fail">
          {problem}
        </p>
      )}
    </div>
  )
}

interface FormProps {
  draft: Draft | undefined
  yaml: string
  clusters: readonly string[]
  onText: (text: string) => void
}

function Form({ draft, yaml, clusters, onText }: FormProps) {
  const text = useText()
  return (
    <fieldset disabled={draft === undefined} className="flex min-w-0 flex-col gap-4" data-testid="scenario-form">
      <legend className="sr-only">{text('rehearsals.new.form')}</legend>
      {draft === undefined ? (
        <p className="text-ink-2">{text('rehearsals.new.invalid')}</p>
      ) : (
        <>
          <div className="flex flex-wrap gap-4">
            <TextField
              label={text('rehearsals.new.name')}
              value={draft.name}
              onChange={({ target }) => onText(withValue(yaml, ['metadata', 'name'], target.value))}
            />
            <TextField
              label={text('rehearsals.new.duration')}
              value={draft.duration}
              onChange={({ target }) => onText(withValue(yaml, ['spec', 'duration'], target.value))}
            />
          </div>
          <Rows part="steps" rows={draft.steps} yaml={yaml} clusters={clusters} onText={onText} />
          <Rows part="assertions" rows={draft.assertions} yaml={yaml} clusters={clusters} onText={onText} />
        </>
      )}
    </fieldset>
  )
}
