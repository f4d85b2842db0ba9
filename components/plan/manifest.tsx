'use client'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock } from '../ui/code-block'

/** An object as YAML. The YAML writer is loaded on first use. */
export function Manifest({ value, label }: { value: unknown; label: string }) {
  const { data: stringify } = useQuery({
    queryKey: ['yaml-writer'],
    queryFn: async () => (await import('yaml')).stringify,
    staleTime: Infinity,
  })
  return <CodeBlock label={label} text={stringify ? stringify(value) : '…'} />
}

/** A section that opens when asked. */
export function Disclosure({ summary, children }: { summary: string; children: React.ReactNode }) {
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer py-0.5 text-section">{summary}</summary>
      <div className="mt-2">{children}</div>
    </details>
  )
}
