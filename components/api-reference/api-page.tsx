'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { readApiDocument } from '../hooks/actions'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { FilterField } from '../shell/filter-field'
import { PageFrame } from '../shell/page-frame'
import { RetryButton } from '../ui/retry-button'
import { CodeBlock } from '../ui/code-block'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { SkeletonRows } from '../ui/skeleton'
import { Table, Td, Th } from '../ui/table'
import { type ApiReference, readReference, typeText } from './document'
import { Operation } from './operation'

/** The API of this console, as it describes itself. */
export function ApiPage() {
  return (
    <AreaTexts area="apiReference">
      <Api />
    </AreaTexts>
  )
}

function Api() {
  const text = useText()
  const document = useQuery({
    queryKey: ['openapi', text.locale],
    queryFn: ({ signal }) => readApiDocument(signal),
    staleTime: Infinity,
    retry: false,
  })
  const reference = useMemo(
    () => (document.data === undefined ? undefined : readReference(document.data)),
    [document.data],
  )
  return (
    <PageFrame
      title={text('shell.apiReference')}
      actions={<FilterField hint={text('apiReference.filter')} />}
      subline={<Subline reference={reference} />}
    >
      {document.isPending && <SkeletonRows label={text('apiReference.loading')} />}
      {document.error && (
        <EmptyState title={text('apiReference.unavailable')}>
          <p>{document.error.message}</p>
          <p>
            <RetryButton error={document.error} onRetry={() => void document.refetch()} />
          </p>
        </EmptyState>
      )}
      {reference && <Reference reference={reference} />}
    </PageFrame>
  )
}

function Subline({ reference }: { reference: ApiReference | undefined }) {
  const text = useText()
  const count = reference?.sections.reduce((sum, { operations }) => sum + operations.length, 0) ?? 0
  return (
    <span className="ml-2">
      {reference && `${text('apiReference.count', { n: count })} `}
      <a href="/api/v1/openapi.json" className="link">
        {text('apiReference.openApi')}
      </a>
    </span>
  )
}

function Reference({ reference }: { reference: ApiReference }) {
  const text = useText()
  const { get, hrefWith } = useUrlState()
  const filter = (get('q') ?? '').trim().toLowerCase()
  const sections = useMemo(() => selectOperations(reference, filter), [reference, filter])
  useScrollToHash()
  if (sections.length === 0) {
    return (
      <EmptyState title={text('apiReference.noMatch')}>
        <p>
          <Link href={hrefWith({ q: undefined })} className="link">
            {text('common.showAll')}
          </Link>
        </p>
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-8 px-6 py-4">
      <Introduction />
      {sections.map(({ tag, operations }) => (
        <section key={tag} aria-label={tag}>
          <h2 className="mb-1 text-section">{tag}</h2>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} open={filter !== '' && operations.length === 1} />
          ))}
        </section>
      ))}
      {filter === '' && <Problems problems={reference.problems} />}
      {filter === '' && <Schemas schemas={reference.schemas} />}
    </div>
  )
}

function selectOperations({ sections }: ApiReference, filter: string): ApiReference['sections'] {
  const words = filter.split(/\s+/)
  return sections.flatMap(({ tag, operations }) => {
    const left = operations.filter(({ method, path, summary }) =>
      words.every((word) => `${method} ${path} ${summary} ${tag}`.toLowerCase().includes(word)),
    )
    return left.length === 0 ? [] : [{ tag, operations: left }]
  })
}

/** What an address names is drawn only after the document has come. */
function useScrollToHash(): void {
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1))
    if (id !== '') document.getElementById(id)?.scrollIntoView()
  }, [])
}

function Introduction() {
  const text = useText()
  return (
    <div className="flex max-w-[72ch] flex-col gap-2">
      <p>{text('apiReference.identity')}</p>
      <p>
        <Rich code="apiReference.problems" parts={{ code: <code className="mono" /> }} />
      </p>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-section">{title}</h2>
      {children}
    </section>
  )
}

function Problems({ problems }: Pick<ApiReference, 'problems'>) {
  const text = useText()
  return (
    <Part title={text('apiReference.problemList')}>
      <Table aria-label={text('apiReference.problemList')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('apiReference.reason')}</Th>
            <Th>{text('apiReference.status')}</Th>
            <Th>{text('apiReference.meaning')}</Th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ reason, status, description }) => (
            <tr
              key={reason}
              id={`problem-${reason.toLowerCase()}`}
              className="target:bg-sunken"
              data-testid="problem-row"
              data-reason={reason}
            >
              <Td className="pl-0 mono">{reason}</Td>
              <Td>{status}</Td>
              <Td className="w-full">{description}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Part>
  )
}

function Schemas({ schemas }: Pick<ApiReference, 'schemas'>) {
  const text = useText()
  return (
    <Part title={text('apiReference.schemas')}>
      <div className="flex flex-col gap-1">
        {schemas.map(({ name, schema }) => (
          <details key={name} id={`schema-${name}`} className="border-b border-line">
            <summary className="flex h-7 cursor-pointer items-center font-medium hover:bg-raised">
              <span className="mono">{name}</span>
              {schema.description !== undefined && (
                <span className="ml-3 truncate font-normal text-ink-2">{schema.description}</span>
              )}
            </summary>
            <div className="py-2">
              <CodeBlock text={typeText(schema)} label={text('apiReference.schema', { name })} />
            </div>
          </details>
        ))}
      </div>
    </Part>
  )
}
