'use client'
import { useQuery } from '@tanstack/react-query'
import { readAbout } from '../hooks/actions'
import { kubectlFor } from '../hooks/kubectl'
import { CodeBlock } from '../ui/code-block'

/** A kubectl command to copy. It names the kubeconfig of the control plane that this console shows. */
export function KubectlBlock({ text, label }: { text: string; label: string }) {
  const { data } = useQuery({ queryKey: ['about'], queryFn: readAbout, staleTime: Infinity })
  return <CodeBlock text={kubectlFor(text, data?.kubeconfig)} label={label} />
}
