/** Why an action failed, announced when it does. */
export function ActionError({ error }: { error: Error | null | undefined }) {
  if (!error) return null
  return (
    <p role="alert" className="text-fail">
      {error.message}
    </p>
  )
}
