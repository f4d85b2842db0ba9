'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { formatNumberOf } from '@/lib/format'
import { readApiDocument } from '../hooks/actions'
import { useUrlState } from '../hooks/use-url-state'
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
  const document = useQuery({
    queryKey: ['openapi'],
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
      title="API"
      actions={<FilterField hint="Filter: path or words" />}
      subline={<Subline reference={reference} />}
    >
      {document.isPending && <SkeletonRows label="Reading the document" />}
      {document.error && (
        <EmptyState title="The document of the API cannot be read now">
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
  const count = reference?.sections.reduce((sum, { operations }) => sum + operations.length, 0) ?? 0
  return (
    <span className="ml-2">
      {reference && `${formatNumberOf(count, 'operation')}. `}
      <a href="/api/v1/openapi.json" className="link">
        OpenAPI 3.1
      </a>
    </span>
  )
}

function Reference({ reference }: { reference: ApiReference }) {
  const { get, hrefWith } = useUrlState()
  const filter = (get('q') ?? '').trim().toLowerCase()
  const sections = useMemo(() => selectOperations(reference, filter), [reference, filter])
  useScrollToHash()
  if (sections.length === 0) {
    return (
      <EmptyState title="No operation matches">
        <p>
          <Link href={hrefWith({ q: undefined })} className="link">
            Show all
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
  return (
    <div className="flex max-w-[72ch] flex-col gap-2">
      <p>
        Every call acts as its user: what the API server refuses them, it refuses here. Scripts send a token that the
        API server accepts with each request; browsers are known by their session.
      </p>
      <p>
        Refusals are problem details (RFC 9457): <code className="mono">reason</code> is what programs go by,{' '}
        <code className="mono">detail</code> is a sentence for people, <code className="mono">instance</code> names the
        occurrence in logs. An action under an <code className="mono">Idempotency-Key</code> is done once; with{' '}
        <code className="mono">If-Match</code> it is done only while the object is as it was read. Lists come in pages:
        send <code className="mono">continue</code> of the page before.
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
  return (
    <Part title="Problems">
      <Table aria-label="Problems">
        <thead>
          <tr>
            <Th className="pl-0">Reason</Th>
            <Th>Status</Th>
            <Th>Meaning</Th>
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
  return (
    <Part title="Schemas">
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
              <CodeBlock text={typeText(schema)} label={`the schema ${name}`} />
            </div>
          </details>
        ))}
      </div>
    </Part>
  )
}
