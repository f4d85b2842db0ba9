'use client'
import { useText } from '../messages/use-text'
import { CodeBlock } from '../ui/code-block'
import { Table, Td, Th } from '../ui/table'
import { type ApiOperation, type ApiParameter, curlText, typeText } from './document'

/** One operation: a line, and when it is opened what it takes, answers and refuses, and how a shell calls it. */
export function Operation({ operation, open }: { operation: ApiOperation; open: boolean }) {
  const text = useText()
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
        {kind === 'action' && <span className="ml-auto text-label text-ink-2">{text('apiReference.action')}</span>}
      </summary>
      <Details operation={operation} />
    </details>
  )
}

function Details({ operation }: { operation: ApiOperation }) {
  const text = useText()
  const { description, parameters, body, answer, problems } = operation
  return (
    <div className="flex flex-col gap-4 py-3 pl-4">
      {description !== undefined && <p className="max-w-[72ch]">{description}</p>}
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body && (
        <div>
          <h3 className="mb-1 text-label text-ink-2">{text('apiReference.body')}</h3>
          <CodeBlock text={typeText(body)} label={text('apiReference.body')} />
        </div>
      )}
      <div>
        <h3 className="mb-1 text-label text-ink-2">{text('apiReference.response')}</h3>
        <CodeBlock text={typeText(answer)} label={text('apiReference.response')} />
      </div>
      <div>
        <h3 className="mb-1 text-label text-ink-2">{text('apiReference.shell')}</h3>
        <CodeBlock text={curlText(operation, window.location.origin)} label={text('apiReference.command')} />
      </div>
      <div>
        <h3 className="mb-1 text-label text-ink-2">{text('apiReference.problemList')}</h3>
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
  const text = useText()
  return (
    <Table aria-label={text('apiReference.parameters')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('apiReference.parameter')}</Th>
          <Th>{text('apiReference.in')}</Th>
          <Th>{text('apiReference.type')}</Th>
          <Th>{text('apiReference.meaning')}</Th>
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
