'use client'
import { CodeBlock } from '../ui/code-block'
import { Table, Td, Th } from '../ui/table'
import { type ApiOperation, type ApiParameter, curlText, typeText } from './document'

/** One operation: a line, and when it is opened what it takes, answers and refuses, and how a shell calls it. */
export function Operation({ operation, open }: { operation: ApiOperation; open: boolean }) {
  const { id, method, path, kind, summary } = operation
  return (
    <details
      id={id}
      open={open}
      className="border-b border-line"
      data-testid="operation"
      data-operation={`${method} ${path}`}
    >
      <summary className="flex min-h-7 cursor-pointer flex-wrap items-center gap-x-3 py-0.5 hover:bg-raised">
        <span className="w-14 mono font-medium">{method}</span>
        <span className="mono break-all">{path}</span>
        <span className="text-ink-2">{summary}</span>
        {kind === 'action' && <span className="ml-auto text-label text-ink-2">changes something</span>}
      </summary>
      <Details operation={operation} />
    </details>
  )
}

function Details({ operation }: { operation: ApiOperation }) {
  const { description, parameters, body, answer, problems } = operation
  return (
    <div className="flex flex-col gap-4 py-3 pl-4">
      {description !== undefined && <p className="max-w-[72ch]">{description}</p>}
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body && (
        <div>
          <h3 className="mb-1 text-label text-ink-2">Body</h3>
          <CodeBlock text={typeText(body)} label="the body" />
        </div>
      )}
      <div>
        <h3 className="mb-1 text-label text-ink-2">Answer</h3>
        <CodeBlock text={typeText(answer)} label="the answer" />
      </div>
      <div>
        <h3 className="mb-1 text-label text-ink-2">From a shell</h3>
        <CodeBlock text={curlText(operation, window.location.origin)} label="the command" />
      </div>
      <div>
        <h3 className="mb-1 text-label text-ink-2">Instead of that</h3>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4">
          {problems.map(({ status, description: why }) => (
            <div key={status} className="contents">
              <dt className="mono">{status}</dt>
              <dd className="text-ink-2">{why}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

function Parameters({ parameters }: { parameters: readonly ApiParameter[] }) {
  return (
    <Table aria-label="Parameters">
      <thead>
        <tr>
          <Th className="pl-0">Parameter</Th>
          <Th>In</Th>
          <Th>Type</Th>
          <Th>Meaning</Th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, in: where, required, schema, description }) => (
          <tr key={`${where} ${name}`}>
            <Td className="pl-0 mono whitespace-nowrap">
              {name}
              {!required && <span className="text-ink-2">?</span>}
            </Td>
            <Td className="text-ink-2">{where}</Td>
            <Td className="mono">{typeText(schema)}</Td>
            <Td className="w-full text-ink-2">{description}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
