/** Columns of roles and their bindings. */
import { age, type Column, createdAt, textColumn } from './column'
import { array, at, text } from './reading'

const ROLE =
  'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the '
  + 'RoleRef cannot be resolved, the Authorizer must return an error. This field is immutable.'
const CLUSTER_ROLE =
  'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be '
  + 'resolved, the Authorizer must return an error. This field is immutable.'

/** The subjects of one kind, comma-joined, shown with `-o wide`. */
function subjectColumn(kind: string, binding: string): Column {
  const named = ({ name, namespace }: Record<string, unknown>): string =>
    kind === 'ServiceAccount' && namespace ? `${text(namespace)}/${text(name)}` : text(name, '')
  const column = textColumn(
    `${kind}s`,
    (object) =>
      array(object.subjects)
        .filter((subject) => subject.kind === kind)
        .map(named)
        .join(', '),
    1,
  )
  return { ...column, description: `${kind}s in the ${binding}` }
}

function bindingColumns(binding: string, description: string): Column[] {
  const part = (object: unknown, field: string): string => text(at(object, `roleRef.${field}`), '')
  const role = textColumn('Role', (object) => `${part(object, 'kind')}/${part(object, 'name')}`)
  const subjects = ['User', 'Group', 'ServiceAccount'].map((kind) => subjectColumn(kind, binding))
  return [{ ...role, description }, age, ...subjects]
}

export const accessColumns: Readonly<Record<string, readonly Column[]>> = {
  'roles.rbac.authorization.k8s.io': [createdAt],
  'clusterroles.rbac.authorization.k8s.io': [createdAt],
  'rolebindings.rbac.authorization.k8s.io': bindingColumns('roleBinding', ROLE),
  'clusterrolebindings.rbac.authorization.k8s.io': bindingColumns('clusterRoleBinding', CLUSTER_ROLE),
}
